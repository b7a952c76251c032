import { rm } from 'node:fs/promises';
import stopEngineForTests from '../stop-engine.ts';
import { DEMO_FOLDER } from './demo-folder.ts';

/** Stops the engine of `start-suite.ts`, and deletes its demo. */
export default async function stopBrowserSuite(): Promise<void> {
  await stopEngineForTests();
  const folder = process.env[DEMO_FOLDER];
  if (folder !== undefined) await rm(folder, { recursive: true });
}
