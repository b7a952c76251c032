import { one } from '../output.ts';

/** What became of a line: created, skipped because it was imported before, or the reason for neither. */
export type Outcome = 'created' | 'skipped' | { readonly reason: string };

/** Failed lines that people are shown. */
const MAX_SHOWN = 20;
/** Failed lines that are written at once. */
const PIECE = 1000;

/** What an import came to so far. */
export class Report {
  #created = 0;
  #skipped = 0;
  readonly #failures: { readonly line: number; readonly reason: string }[] = [];
  // Many lines fail for few reasons: each is held once.
  readonly #reasons = new Map<string, string>();

  add(line: number, outcome: Outcome): void {
    if (outcome === 'created') this.#created += 1;
    else if (outcome === 'skipped') this.#skipped += 1;
    else {
      const reason = this.#reasons.get(outcome.reason) ?? outcome.reason;
      this.#reasons.set(reason, reason);
      this.#failures.push({ line, reason });
    }
  }

  /** Number of lines that were not imported. */
  get failures(): number {
    return this.#failures.length;
  }

  /** Of lines that are stored together, those that nobody can read fail first. */
  get #failed() {
    return this.#failures.sort((one, other) => one.line - other.line);
  }

  /** The report for programs, in pieces: each line of a large file may have failed. */
  *json(): Generator<string, void> {
    yield `{"created":${this.#created},"skipped":${this.#skipped},"failed":[`;
    const failed = this.#failed;
    for (let start = 0; start < failed.length; start += PIECE) {
      const piece = failed.slice(start, start + PIECE).map((line) => JSON.stringify(line));
      yield `${start > 0 ? ',' : ''}${piece.join(',')}`;
    }
    yield ']}\n';
  }

  /** The report for people. */
  *text(): Generator<string, void> {
    yield `${one({ created: this.#created, skipped: this.#skipped, failed: this.failures }).text}\n`;
    for (const { line, reason } of this.#failed.slice(0, MAX_SHOWN)) yield `line ${line}: ${reason}\n`;
    if (this.failures > MAX_SHOWN) yield `… and ${this.failures - MAX_SHOWN} more: add --json\n`;
  }
}
