import { renderObject } from '../output.ts';
import type { Header } from './mapping.ts';

/** The result of a line. `skipped` and `contradicted`: an earlier import had it, or contradicts it. */
export type Outcome = 'created' | 'skipped' | 'contradicted' | { readonly reason: string };

/** Limits of the report for people: its failed lines, and the line numbers in its warning. */
const MAX_SHOWN = 20;
const MAX_NUMBERS = 10;
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
  // Every line of a large file may fail. The lines share the texts of their few reasons, so each needs only 16 bytes.
  readonly #lines: number[] = [];
  readonly #reasons: string[] = [];
  readonly #knownReasons = new Map<string, string>();

  /** `subject` is what a line that contradicts an earlier one is about. */
  constructor(subject: string) {
    this.#subject = subject;
  }

  add(line: number, outcome: Outcome): void {
    if (outcome === 'created') this.#created += 1;
    else if (typeof outcome === 'string') {
      this.#skipped += 1;
      if (outcome === 'contradicted') this.#contradicting.push(line);
    } else {
      const reason = this.#knownReasons.get(outcome.reason) ?? outcome.reason;
      this.#knownReasons.set(reason, reason);
      this.#lines.push(line);
      this.#reasons.push(reason);
    }
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

  *json(): Generator<string, void> {
    yield `{"created":${this.#created},"skipped":${this.#skipped},"failed":[`;
    for (let start = 0; start < this.failures; start += PIECE) {
      yield `${start > 0 ? ',' : ''}${JSON.stringify(this.#failed(start, start + PIECE)).slice(1, -1)}`;
    }
    yield ']}\n';
  }

  *text(remark?: string): Generator<string, void> {
    yield `${renderObject({ created: this.#created, skipped: this.#skipped, failed: this.failures }).text(Infinity)}\n`;
    for (const { line, reason } of this.#failed(0, MAX_SHOWN)) yield `line ${line}: ${reason}\n`;
    const more = this.failures - MAX_SHOWN;
    if (more > 0) yield `… and ${more} more. Run with --json to see all failed lines.\n`;
    if (remark !== undefined) yield `${remark}\n`;
  }

  #failed(start: number, end: number) {
    const reasons = this.#reasons.slice(start, end);
    return this.#lines.slice(start, end).map((line, index) => ({ line, reason: reasons[index] }));
  }
}
