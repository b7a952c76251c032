import type { AttributionTarget } from '../../../functions/domain/advocate.ts';
import { findAttributionTargets } from '../../../functions/table/operator/advocate-import.ts';
import type { Table } from '../../../functions/table/table.ts';

/** Slugs that are remembered at most, but for those of the lines under way. */
const MAX_KNOWN = 10_000;

/** The affiliates of a program by their slugs. Those that were looked up are remembered while a file is imported. */
export class Affiliates {
  readonly #table: Table;
  readonly #program: string;
  readonly #known = new Map<string, AttributionTarget | undefined>();

  constructor(table: Table, program: string) {
    this.#table = table;
    this.#program = program;
  }

  /** Returns a map that has the affiliates with these slugs, if there are any, and others. */
  async find(slugs: readonly string[]): Promise<ReadonlyMap<string, AttributionTarget | undefined>> {
    if (this.#known.size > MAX_KNOWN) this.#known.clear();
    const unknown = [...new Set(slugs)].filter((slug) => !this.#known.has(slug));
    const found = await findAttributionTargets(this.#table, this.#program, unknown);
    for (const slug of unknown) this.#known.set(slug, found.get(slug));
    return this.#known;
  }
}
