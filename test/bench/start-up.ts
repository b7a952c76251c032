import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, start } from '../support/start.ts';

/** Measures the milliseconds from `npm start` to "Ready": of the first start, which creates the demo, and of the next. */
export async function startUpTimes(): Promise<{ first: number; next: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-start-'));
  const measure = async () => {
    const startedAt = performance.now();
    const started = await start({ DATA_DIR: folder }, ['npm', 'start', '--silent']);
    const time = performance.now() - startedAt;
    await end(started, 'SIGTERM');
    return time;
  };
  try {
    return { first: await measure(), next: await measure() };
  } finally {
    await rm(folder, { recursive: true });
  }
}
