import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { EventsFile } from '../../../bin/local/events/file.ts';
import { LocalQueue } from '../../../bin/local/events/queue.ts';
import { milliseconds } from '../../../functions/domain/time.ts';

/** A `DATA_DIR` for one test file, with a new queue for each test and a clock that the tests move. */
export function useLocalQueue() {
  const context = { dataDir: '', now: 0 } as {
    dataDir: string;
    /** Milliseconds since 1970. */
    now: number;
    file: EventsFile;
    queue: LocalQueue;
    /** Opens the file again, as the next start does after the process was killed. */
    reopen(): void;
  };
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'events-'));
  });
  context.reopen = () => {
    context.file.close();
    open();
  };
  const open = () => {
    context.file = new EventsFile(context.dataDir);
    context.queue = new LocalQueue(context.file, () => milliseconds(context.now));
  };
  beforeEach(async () => {
    context.dataDir = await mkdtemp(join(folder, 'data-'));
    context.now = 1_700_000_000_000;
    open();
  });
  afterEach(() => context.file.close());
  afterAll(() => rm(folder, { recursive: true }));
  return context;
}
