import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variable with the `DATA_DIR` of the demo that `start-suite.ts` stores. */
export const DEMO_FOLDER = 'DEMO_FOLDER';

/** Creates a `DATA_DIR` that already contains the demo, for the services of one test file. */
export async function newDemoFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-copy-'));
  const stored = process.env[DEMO_FOLDER];
  // Without a stored demo, the service stores it on its first start.
  if (stored !== undefined) await cp(stored, folder, { recursive: true });
  return folder;
}
