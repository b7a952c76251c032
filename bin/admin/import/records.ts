import { type Line, MAX_LINE_BYTES } from './lines.ts';

/**
 * Joins lines whose quoted value continues on the next line to one record, which has the number of its first line. A
 * record ends where its quotes are balanced, and counts only if `isRecord` accepts it: otherwise its first line is
 * yielded alone, so that a misplaced quote affects no other line. At most 64 KiB are read ahead.
 */
export async function* recordsOf(
  lines: AsyncGenerator<Line, void>,
  isRecord: (text: string) => boolean,
): AsyncGenerator<Line, void> {
  /** Lines that were read to find the end of a record. */
  const ahead: Line[] = [];
  const lineAhead = async (index: number) => {
    if (index === ahead.length) {
      const line = await lines.next();
      if (!line.done) ahead.push(line.value);
    }
    return ahead[index];
  };
  try {
    for (let line = await lineAhead(0); line; line = await lineAhead(0)) {
      ahead.shift();
      const record = hasOpenQuote(line) ? await recordFrom(line, lineAhead) : undefined;
      if (record && isRecord(record.text)) {
        ahead.splice(0, record.length - 1);
        yield { number: line.number, text: record.text };
      } else yield line;
    }
  } finally {
    await lines.return();
  }
}

/** Returns the lines from an open quote to the next one, joined, and their number; `undefined` if there is no end. */
async function recordFrom(
  first: Line,
  lineAhead: (index: number) => Promise<Line | undefined>,
): Promise<{ readonly text: string; readonly length: number } | undefined> {
  let text = 'text' in first ? first.text : '';
  for (let index = 0; text.length <= MAX_LINE_BYTES; index += 1) {
    const line = await lineAhead(index);
    if (!line || 'problem' in line) return undefined;
    text += `\n${line.text}`;
    if (hasOpenQuote(line)) return { text, length: index + 2 };
  }
  return undefined;
}

/** True if a line has an odd number of quotes: it opens a quoted value, or closes one. */
function hasOpenQuote(line: Line): boolean {
  if ('problem' in line) return false;
  let isOpen = false;
  for (let at = line.text.indexOf('"'); at !== -1; at = line.text.indexOf('"', at + 1)) isOpen = !isOpen;
  return isOpen;
}
