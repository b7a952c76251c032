import { isUtf8 } from 'node:buffer';

/** A line of a file, or what is wrong with it. */
export type Line = { readonly number: number } & ({ readonly text: string } | { readonly problem: string });

/** Bytes. Far more than any line needs: a file without line ends must not fill the memory. */
const MAX_LENGTH = 64 * 1024;
const LINE_FEED = 0x0a;
const EMPTY = Buffer.alloc(0);
const BYTE_ORDER_MARK = /^\ufeff/;
const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * Splits a stream of bytes into lines, which end with LF, CRLF or the stream; the first has number 1. A byte order mark is
 * dropped. However long the stream is, no more than a line and a chunk of it is held; a chunk may be used again for the
 * one after it.
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line, void> {
  let number = 1;
  let begun = EMPTY;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const rest = chunk.subarray(start, end);
      yield lineOf(number, begun.length === 0 ? rest : Buffer.concat([begun, rest]));
      number += 1;
      begun = EMPTY;
      start = end + 1;
    }
    // Of a line that is too long no more is kept than what shows it.
    begun = Buffer.concat([begun, chunk.subarray(start)].map((part) => part.subarray(0, MAX_LENGTH + 1)));
  }
  if (begun.length > 0) yield lineOf(number, begun);
}

function lineOf(number: number, bytes: Buffer): Line {
  if (bytes.length > MAX_LENGTH) return { number, problem: 'is longer than 64 KiB' };
  if (!isUtf8(bytes)) return { number, problem: 'is no text in UTF-8' };
  const written = bytes.toString().replace(/\r$/, '');
  const text = number === 1 ? written.replace(BYTE_ORDER_MARK, '') : written;
  return CONTROL_CHARACTER.test(text) ? { number, problem: 'contains control characters' } : { number, text };
}
