import { setTimeout } from 'node:timers/promises';

/** Milliseconds. Without a pause, asking would take the processor from what is waited for. */
const PAUSE = 20;

/** Asks until the answer is true. Only jest's `testTimeout` ends it otherwise. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await setTimeout(PAUSE);
}
