import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, start } from '../start.ts';
import startEngineForTests from '../start-engine.ts';
import { DEMO_FOLDER } from './demo-folder.ts';

/** Starts the engine, and stores the demo that each test file copies: storing it takes longer than many a test. */
export default async function startBrowserSuite(): Promise<void> {
  await startEngineForTests();
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  process.env[DEMO_FOLDER] = folder;
  await end(await start({ DATA_DIR: folder }), 'SIGTERM');
}
