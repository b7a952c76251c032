import { SingleBar } from 'cli-progress';
import type { OpenFile } from './file.ts';

/**
 * Reads a file and shows how far it was read, in a bar on standard error. Nothing is shown where that is no terminal, or
 * where nobody knows how long the file is.
 */
export async function* showingProgress({ size, chunks }: OpenFile): AsyncGenerator<Buffer, void> {
  const bar = new SingleBar({
    format: '{bar} {percentage} % | {eta_formatted} left',
    stream: process.stderr,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    clearOnComplete: true,
  });
  if (size > 0) bar.start(size, 0);
  try {
    for await (const chunk of chunks) {
      yield chunk;
      bar.increment(chunk.length);
    }
  } finally {
    bar.stop();
  }
}
