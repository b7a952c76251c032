import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, start } from '../support/start.ts';

/** Milliseconds from the call of `npm start` to its last line: at the first start, which makes the demo, and at the next. */
export async function startUpTimes(): Promise<{ first: number; next: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-start-'));
  const measure = async () => {
    const begin = performance.now();
    const started = await start({ DATA_DIR: folder }, ['npm', 'start', '--silent']);
    const time = performance.now() - begin;
    await end(started, 'SIGTERM');
    return time;
  };
  try {
    return { first: await measure(), next: await measure() };
  } finally {
    await rm(folder, { recursive: true });
  }
}
