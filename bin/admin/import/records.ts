import { type Line, MAX_LINE_BYTES } from './lines.ts';

/**
 * Joins lines whose quoted value continues on the next line to one record, which has the number of its first line. A
 * record ends where its quotes are balanced, and counts only if `isRecord` accepts it: otherwise its first line is
 * yielded alone, so that a misplaced quote affects no other line. At most 64 KiB are read ahead.
 */
export async function* recordsOf(
  lines: AsyncGenerator<Line, undefined>,
  isRecord: (text: string) => boolean,
): AsyncGenerator<Line, void> {
  /** The current line, and lines that were read to find the end of its record. */
  const pending: Line[] = [];
  const lineAt = async (index: number) => {
    if (index === pending.length) {
      const { value } = await lines.next();
      if (value) pending.push(value);
    }
    return pending[index];
  };
  for (let line = await lineAt(0); line; line = await lineAt(0)) {
    const texts = hasOpenQuote(line) ? await textsOfRecord(lineAt) : [];
    const text = texts.join('\n');
    const isJoined = texts.length > 0 && isRecord(text);
    pending.splice(0, isJoined ? texts.length : 1);
    yield isJoined ? { number: line.number, text } : line;
  }
}

/** Returns the lines from an open quote to the next one; none if there is no next one. */
async function textsOfRecord(lineAt: (index: number) => Promise<Line | undefined>): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let length = 0; length <= MAX_LINE_BYTES; ) {
    const line = await lineAt(texts.length);
    if (!line || 'problem' in line) break;
    texts.push(line.text);
    if (texts.length > 1 && hasOpenQuote(line)) return texts;
    length += line.text.length + 1;
  }
  return [];
}

/** True if a line has an odd number of quotes: it opens a quoted value, or closes one. */
function hasOpenQuote(line: Line): boolean {
  return 'text' in line && line.text.split('"').length % 2 === 0;
}
