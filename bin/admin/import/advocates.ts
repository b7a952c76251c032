import { type Advocate, newAdvocate } from '../../../functions/domain/advocate.ts';
import { MAX_UID, parseEmail, parseName, parseSlug } from '../../../functions/domain/fields.ts';
import { derivedRandom, type Random, uuidv7 } from '../../../functions/domain/ids.ts';
import { NO_METADATA } from '../../../functions/domain/metadata.ts';
import { slugCandidates } from '../../../functions/domain/slug-candidates.ts';
import { milliseconds, type Seconds, secondOf } from '../../../functions/domain/time.ts';
import { createAdvocates } from '../../../functions/table/operator/advocate-import.ts';
import type { AdminCommand, CliContext } from '../cli.ts';
import { type Cells, canonicalText } from '../csv.ts';
import { cellOf, metadata, oneOf, percentage, requiredCell, textUpTo, timeUntil } from './cells.ts';
import { ADVOCATE_COLUMNS, type AdvocateColumn } from './columns.ts';
import { addImport } from './command.ts';
import { PRESETS } from './presets.ts';
import type { Outcome } from './report.ts';

const ACTIVE = ['true', 'false'] as const;

/** The advocate of a line, and the slugs to try next if its own is taken. A slug in the line has no alternatives. */
interface AdvocateRow {
  readonly advocate: Advocate;
  readonly otherSlugs: readonly string[];
}

const OUTCOMES = {
  created: 'created',
  known: 'skipped',
  'uid taken': { reason: 'uid belongs to another advocate' },
  'slug taken': { reason: 'slug belongs to another advocate' },
} as const;

const uid = textUpTo(MAX_UID);
const active = oneOf(ACTIVE);

/** Adds `advocate import`. */
export function addAdvocateImport(advocate: AdminCommand, context: CliContext): void {
  addImport<AdvocateColumn, AdvocateRow>(advocate, context, {
    noun: 'advocate',
    columns: { allowed: ADVOCATE_COLUMNS, required: [['email']] },
    stateColumn: 'active',
    states: ACTIVE,
    presetOf: (name) => PRESETS[name].advocates,
    advised: {
      column: 'slug',
      warning:
        'No column is the slug: the advocates get new ones, and links that they have shared will not work. Name it with --map.',
    },
    remarks: `Without a slug, the advocate gets one generated from its names. Without created_at, the advocate is created
now. The column active is true or false; empty means true. --map-state translates its values. A line is skipped if its slug
belongs to an advocate with the same email and uid.`,
    spec: (program, table, store) => ({
      parse: advocateParser(program.id, secondOf(context.clock()), context.random),
      writes: ({ advocate: { uid } }) => (uid === null ? 1 : 2),
      store: async (rows) => {
        const outcomes: Outcome[] = [];
        let pending = rows.map((row, index) => ({ ...row, index }));
        while (pending.length > 0) {
          const advocates = pending.map(({ advocate }) => advocate);
          const stored = await createAdvocates(table, program.id, advocates, store);
          pending = pending.flatMap(({ advocate, otherSlugs: [slug, ...otherSlugs], index }, position) => {
            const outcome = stored[position];
            if (outcome === 'slug taken' && slug !== undefined) {
              return [{ advocate: { ...advocate, slug }, otherSlugs, index }];
            }
            if (outcome !== undefined) outcomes[index] = OUTCOMES[outcome];
            return [];
          });
        }
        return outcomes;
      },
    }),
  });
}

/**
 * Returns the parser for the lines of one file. Ids are random. The random characters of a slug are derived from the
 * line's position among the distinct lines without a slug, so that the next import of the file tries the same slugs.
 * They are not derived from the email, because links are public.
 */
export function advocateParser(
  program: string,
  now: Seconds,
  random: Random,
): (cells: Cells<AdvocateColumn>) => AdvocateRow {
  const past = timeUntil(now);
  const positions = new Map<string, number>();
  const positionOf = (line: string) => {
    const position = positions.get(line) ?? positions.size;
    positions.set(line, position);
    return position;
  };
  return (cells) => {
    const createdAt = cellOf(cells, 'created_at', past) ?? now;
    const firstName = cellOf(cells, 'first_name', parseName) ?? null;
    const lastName = cellOf(cells, 'last_name', parseName) ?? null;
    const given = cellOf(cells, 'slug', parseSlug) ?? null;
    const [slug = '', ...otherSlugs] =
      given === null
        ? slugCandidates(firstName, lastName, derivedRandom(`${program} ${positionOf(canonicalText(program, cells))}`))
        : [given];
    const fields = {
      email: requiredCell(cells, 'email', parseEmail),
      firstName,
      lastName,
      slug,
      uid: cellOf(cells, 'uid', uid) ?? null,
      companyId: cellOf(cells, 'company_id', uid) ?? null,
      company: cellOf(cells, 'company', parseName) ?? null,
      commissionPercentage: cellOf(cells, 'commission_percentage', percentage) ?? null,
      metadata: cellOf(cells, 'metadata', metadata) ?? NO_METADATA,
    };
    const id = uuidv7(milliseconds(createdAt * 1000), random);
    const isActive = cellOf(cells, 'active', active) !== 'false';
    return { advocate: { ...newAdvocate(fields, id, createdAt), active: isActive }, otherSlugs };
  };
}
