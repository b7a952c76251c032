import { InvalidField } from '../errors.ts';
import { fromText } from './field-list.ts';
import { parseText } from './fields.ts';

/**
 * Checks a text of several lines, each as `parseText` does: 1 to `max` code points. Line breaks become `\n`, and tabs
 * spaces. Joiners are allowed, which Persian and many emoji need. Throws `InvalidField`.
 */
export function parseLines(field: string, text: string, max: number): string {
  const lines = text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' ');
  const length = text.length > 2 * max ? Number.POSITIVE_INFINITY : [...lines].length;
  if (lines.trim() === '' || length > max) throw new InvalidField(field, `must be 1 to ${max} characters long`);
  for (const line of lines.split('\n')) {
    const visible = line.replaceAll(/[\u200c\u200d]/g, '');
    if (visible !== '') parseText(field, visible, max);
  }
  return lines;
}

/** How requests set a text of several lines, up to `max` characters. */
export const linesInput = <const Max extends number, const Keywords extends object>(max: Max, keywords: Keywords) => ({
  schema: { type: 'string', minLength: 1, maxLength: max, ...keywords } as const,
  parse: fromText((name, text) => parseLines(name, text, max)),
});
