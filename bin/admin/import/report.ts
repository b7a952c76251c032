import { renderObject } from '../output.ts';
import type { Header } from './mapping.ts';

/** The result of a line. `skipped` and `contradicted`: an earlier import had it, or contradicts it. */
export type Outcome = 'created' | 'skipped' | 'contradicted' | { readonly reason: string };

/** Limits of the report for people: its failed lines, and the line numbers in its warning. */
const MAX_SHOWN = 20;
const MAX_NUMBERS = 10;
/** The number of failed lines in a piece of the JSON. */
const PIECE = 1000;

export function outcomeOf(stored: 'created' | 'known' | 'contradicted' | `${string} taken`, noun: string): Outcome {
  if (stored === 'known') return 'skipped';
  if (stored === 'created' || stored === 'contradicted') return stored;
  return { reason: `${stored.slice(0, -' taken'.length).replace(' ', '_')} belongs to another ${noun}` };
}

export class Report {
  readonly #subject: string;
  header: Header | undefined;
  #created = 0;
  #skipped = 0;
  readonly #contradicting: number[] = [];
  // Every line of a large file may fail. The lines share the texts of their few reasons, so each needs about 25 bytes.
  readonly #lines: number[] = [];
  readonly #reasons: string[] = [];
  readonly #texts = new Map<string, string>();

  /** `subject` is what a line that contradicts an earlier one is about. */
  constructor(subject: string) {
    this.#subject = subject;
  }

  add(line: number, outcome: Outcome): void {
    if (typeof outcome === 'object') this.#addFailure(line, outcome.reason);
    else if (outcome === 'created') this.#created += 1;
    else this.#skipped += 1;
    if (outcome === 'contradicted') this.#contradicting.push(line);
  }

  #addFailure(line: number, reason: string): void {
    const text = this.#texts.get(reason) ?? reason;
    this.#texts.set(text, text);
    this.#lines.push(line);
    this.#reasons.push(text);
  }

  get failures(): number {
    return this.#lines.length;
  }

  get warning(): string | undefined {
    const count = this.#contradicting.length;
    if (count === 0) return undefined;
    const more = count > MAX_NUMBERS ? ` and ${count - MAX_NUMBERS} more` : '';
    const numbers = `${this.#contradicting.slice(0, MAX_NUMBERS).join(', ')}${more}`;
    return `${count} of the skipped lines ${count === 1 ? 'contradicts' : 'contradict'} an earlier line or import of the same ${this.#subject}: ${numbers}. What was imported first stays.`;
  }

  /** The pieces of the JSON, which may be longer than the longest string. */
  *json(): Generator<string, void> {
    yield `{"created":${this.#created},"skipped":${this.#skipped},"failed":[`;
    for (let start = 0; start < this.failures; start += PIECE) {
      yield `${start > 0 ? ',' : ''}${JSON.stringify(this.#failed(start, start + PIECE)).slice(1, -1)}`;
    }
    yield ']}\n';
  }

  /** The report for people: the first failed lines, followed by `remark`. */
  text(remark?: string): string {
    const more = this.failures - MAX_SHOWN;
    const counts = { created: this.#created, skipped: this.#skipped, failed: this.failures };
    const lines = [
      renderObject(counts).text(Infinity),
      ...this.#failed(0, MAX_SHOWN).map(({ line, reason }) => `line ${line}: ${reason}`),
      ...(more > 0 ? [`… and ${more} more. Run with --json to see all failed lines.`] : []),
      ...(remark === undefined ? [] : [remark]),
    ];
    return `${lines.join('\n')}\n`;
  }

  #failed(start: number, end: number) {
    return this.#lines.slice(start, end).map((line, index) => ({ line, reason: this.#reasons[start + index] }));
  }
}
