import { type Rendered, renderObject } from '../output.ts';
import type { Header } from './mapping.ts';

/** The result of a line. `skipped` and `contradicted`: an earlier import had it, or contradicts it. */
export type Outcome = 'created' | 'skipped' | 'contradicted' | { readonly reason: string };

/** Limits of the report for people: its failed lines, and the line numbers in its warning. */
const MAX_SHOWN = 20;
const MAX_NUMBERS = 10;

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
  readonly #failed: { readonly line: number; readonly reason: string }[] = [];

  /** `subject` is what a line that contradicts an earlier one is about. */
  constructor(subject: string) {
    this.#subject = subject;
  }

  add(line: number, outcome: Outcome): void {
    if (typeof outcome === 'object') this.#failed.push({ line, reason: outcome.reason });
    else if (outcome === 'created') this.#created += 1;
    else this.#skipped += 1;
    if (outcome === 'contradicted') this.#contradicting.push(line);
  }

  get failures(): number {
    return this.#failed.length;
  }

  get warning(): string | undefined {
    const count = this.#contradicting.length;
    if (count === 0) return undefined;
    const more = count > MAX_NUMBERS ? ` and ${count - MAX_NUMBERS} more` : '';
    const numbers = `${this.#contradicting.slice(0, MAX_NUMBERS).join(', ')}${more}`;
    return `${count} of the skipped lines ${count === 1 ? 'contradicts' : 'contradict'} an earlier line or import of the same ${this.#subject}: ${numbers}. What was imported first stays.`;
  }

  /** Renders the report. The text has the first failed lines, followed by `remark`. */
  rendered(remark?: string): Rendered {
    const more = this.failures - MAX_SHOWN;
    const json = { created: this.#created, skipped: this.#skipped, failed: this.#failed };
    const lines = [
      ...this.#failed.slice(0, MAX_SHOWN).map(({ line, reason }) => `line ${line}: ${reason}`),
      ...(more > 0 ? [`… and ${more} more. Run with --json to see all failed lines.`] : []),
      ...(remark === undefined ? [] : [remark]),
    ];
    const { text } = renderObject({ ...json, failed: this.failures });
    return { json, text: () => [text(Infinity), ...lines].join('\n') };
  }
}
