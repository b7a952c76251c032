import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { EventQueue } from '../../../bin/service/event-queue.ts';
import { ServiceFile } from '../../../bin/service/service-file.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';

/** A `DATA_DIR` for one test file, with a new `service.sqlite` for each test and a clock that the tests move. */
export function useEventQueue() {
  const context = { dataDir: '', now: 0 } as {
    dataDir: string;
    /** Milliseconds since 1970. */
    now: number;
    file: ServiceFile;
    queue: EventQueue;
    close(): void;
    /** Opens the file again, as the next start does after the process was killed. */
    reopen(): void;
  };
  let folder: string;
  const open = () => {
    context.file = new ServiceFile(context.dataDir, () => milliseconds(context.now));
    context.queue = context.file.queue;
    context.close = () => context.file[Symbol.dispose]();
  };
  context.reopen = () => {
    context.close();
    open();
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'events-'));
  });
  beforeEach(async () => {
    context.dataDir = await mkdtemp(join(folder, 'data-'));
    context.now = 1_700_000_000_000;
    open();
  });
  afterEach(() => context.close());
  afterAll(() => rm(folder, { recursive: true }));
  return context;
}
