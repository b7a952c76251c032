import type { Writable } from 'node:stream';
import type { Input } from './secrets.ts';

/** The most characters of a line. */
const MAX_LINE = 1000;

/**
 * Reads one line from standard input, without white space around it. A terminal shows `question` first. Returns `''` if
 * there is nothing, several lines, or too long a line.
 */
export async function readLine(input: Input, prompt: Writable, question: string): Promise<string> {
  if (input.isTTY) prompt.write(question);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of input) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    // A terminal does not end its input, but sends each line as soon as it is complete.
    if (text.includes('\n') || text.length > MAX_LINE) break;
  }
  const line = text.trim();
  return line.length <= MAX_LINE && !/[\r\n]/.test(line) ? line : '';
}
