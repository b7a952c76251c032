/** Ends the engine that `start-engine.ts` started. */
export default async function stopEngineForTests(): Promise<void> {
  await globalThis.engine?.stop();
  globalThis.engine = undefined;
}
