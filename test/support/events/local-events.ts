import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { EventsFile } from '../../../bin/service/events-file.ts';
import { milliseconds } from '../../../functions/domain/time.ts';

/** A `DATA_DIR` for one test file, with a new `events.sqlite` for each test and a clock that the tests move. */
export function useEventsFile() {
  const context = { dataDir: '', now: 0 } as {
    dataDir: string;
    /** Milliseconds since 1970. */
    now: number;
    file: EventsFile;
    /** Opens the file again, as the next start does after the process was killed. */
    reopen(): void;
  };
  let folder: string;
  const open = () => {
    context.file = new EventsFile(context.dataDir, () => milliseconds(context.now));
  };
  context.reopen = () => {
    context.file[Symbol.dispose]();
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
  afterEach(() => context.file[Symbol.dispose]());
  afterAll(() => rm(folder, { recursive: true }));
  return context;
}
