import { type FileHandle, open } from 'node:fs/promises';
import { Failure } from '../errors.ts';

/** Bytes that are read at once. */
const CHUNK = 64 * 1024;

/** A file that is read once, from its beginning to its end. */
export interface OpenFile {
  /** Bytes; 0 where that is not known beforehand, as of a pipe. */
  readonly size: number;
  /** Each chunk holds until the next one is asked for. */
  readonly chunks: AsyncIterable<Buffer>;
}

/** Opens the file that `--file` names while some work goes on. Throws `Failure` where it cannot be read. */
export async function withFile<Result>(path: string, work: (file: OpenFile) => Promise<Result>): Promise<Result> {
  const handle = await open(path).catch((cause: unknown) => {
    throw new Failure('The file in --file cannot be opened: check its name, and who may read it.', { cause });
  });
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) throw new Failure('What --file names is a folder: name a file in it.');
    return await work({ size: stat.size, chunks: chunksOf(handle) });
  } finally {
    await handle.close();
  }
}

async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer, void> {
  const buffer = Buffer.alloc(CHUNK);
  for (;;) {
    const { bytesRead } = await handle.read(buffer).catch((cause: unknown) => {
      throw new Failure('The file in --file cannot be read to its end: check the place where it lies.', {
        cause,
      });
    });
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
