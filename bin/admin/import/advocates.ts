import type { Random } from '../../../functions/domain/ids.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { type Seconds, secondOf } from '../../../functions/domain/time.ts';
import { type AdvocateOutcome, createAdvocates } from '../../../functions/table/operator/advocate-import.ts';
import type { Table } from '../../../functions/table/table.ts';
import type { AdminCommand, CliContext } from '../cli.ts';
import { ADVOCATE_COLUMNS, type AdvocateColumn, type AdvocateEntry, advocateParser } from './advocate-entry.ts';
import { addImport } from './command.ts';
import type { Outcome } from './report.ts';
import type { Kind } from './run.ts';

const COLUMNS = { known: ADVOCATE_COLUMNS, needed: ['email'] } as const;

/** Adds `advocate import`. */
export function addAdvocateImport(advocate: AdminCommand, session: CliContext): void {
  addImport(advocate, session, {
    noun: 'advocate',
    columns: COLUMNS,
    remarks: `Times are Unix seconds or RFC 3339. An advocate without slug gets one from its names; without created_at it
is created now. A line is skipped if the advocate with its slug has the same email and uid.`,
    kind: (program, table) => advocates(program, table, secondOf(session.clock()), session.random),
  });
}

function advocates(program: Program, table: Table, now: Seconds, random: Random): Kind<AdvocateColumn, AdvocateEntry> {
  return {
    columns: COLUMNS,
    parse: advocateParser(program.id, now, random),
    writes: ({ advocate }) => (advocate.uid === null ? 1 : 2),
    store: async (entries) => {
      const outcomes: Outcome[] = [];
      let open = entries.map((entry, index) => ({ ...entry, index }));
      while (open.length > 0) {
        const wanted = open.map(({ advocate }) => advocate);
        const stored = await createAdvocates(table, program.id, wanted);
        open = open.flatMap(({ advocate, otherSlugs: [slug, ...otherSlugs], index }, place) => {
          const outcome = stored[place];
          if (outcome === 'slug taken' && slug !== undefined) {
            return [{ advocate: { ...advocate, slug }, otherSlugs, index }];
          }
          if (outcome !== undefined) outcomes[index] = outcomeOf(outcome);
          return [];
        });
      }
      return outcomes;
    },
  };
}

function outcomeOf(outcome: AdvocateOutcome): Outcome {
  switch (outcome) {
    case 'created':
      return 'created';
    case 'known':
      return 'skipped';
    case 'uid taken':
      return { reason: 'uid belongs to another advocate' };
    case 'slug taken':
      return { reason: 'slug belongs to another advocate' };
  }
}
