import { type FileHandle, open } from 'node:fs/promises';
import { Failure } from '../errors.ts';

/** Bytes that are read at once. */
const CHUNK = 64 * 1024;

/** A file that is read once, from its beginning to its end. */
export interface OpenFile {
  /** Bytes; 0 where that is not known beforehand, as of a pipe. */
  readonly size: number;
  readonly chunks: AsyncIterable<Buffer>;
}

/** Opens the file that `--file` names while some work goes on. Throws `Failure` where it cannot be read. */
export async function withFile<Result>(
  path: string,
  work: (file: OpenFile) => Promise<Result>,
): Promise<Result> {
  const handle = await open(path).catch((cause: unknown) => {
    throw new Failure('The file in --file cannot be opened: check its name, and who may read it.', { cause });
  });
  try {
    const { size, isFolder } = await handle
      .stat()
      .then((stat) => ({ size: stat.size, isFolder: stat.isDirectory() }));
    if (isFolder) throw new Failure('What --file names is a folder: name a file in it.');
    return await work({ size, chunks: chunksOf(handle) });
  } finally {
    await handle.close();
  }
}

async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer, void> {
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK)).catch((cause: unknown) => {
      throw new Failure('The file in --file cannot be read to its end: check the place where it lies.', {
        cause,
      });
    });
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
