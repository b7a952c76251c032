/** Stops the engine of `start-engine.ts`. */
export default async function stopEngineForTests(): Promise<void> {
  await globalThis.engine?.stop();
  globalThis.engine = undefined;
}
