import { type Advocate, newAdvocate } from '../../../functions/domain/advocate.ts';
import { MAX_NAME, MAX_UID, parseEmail, parseSlug } from '../../../functions/domain/fields.ts';
import { derivedRandom, type Random, uuidv7 } from '../../../functions/domain/ids.ts';
import { milliseconds, type Seconds } from '../../../functions/domain/time.ts';
import { slugCandidates } from '../slug-candidates.ts';
import { cellOf, neededCell, percentage, textUpTo, timeUntil } from './cells.ts';
import { type Cells, textOf } from './rows.ts';

/** The columns of a file of advocates. */
export const ADVOCATE_COLUMNS = [
  'email',
  'first_name',
  'last_name',
  'slug',
  'uid',
  'company_id',
  'company',
  'commission_percentage',
  'created_at',
] as const;

export type AdvocateColumn = (typeof ADVOCATE_COLUMNS)[number];

/** The advocate that a line tells of, and the slugs to try where its own is taken: none where the line gives one. */
export interface AdvocateEntry {
  readonly advocate: Advocate;
  readonly otherSlugs: readonly string[];
}

const name = textUpTo(MAX_NAME);
const uid = textUpTo(MAX_UID);

/**
 * Returns the parser of one file's lines. Ids are random. Slugs that the names do not give are derived from the number of
 * the line among the different lines without slug, so that the next import of the file tries the same ones. Links are
 * public: their slugs reveal nothing about the email.
 */
export function advocateParser(
  program: string,
  now: Seconds,
  random: Random,
): (cells: Cells<AdvocateColumn>) => AdvocateEntry {
  const past = timeUntil(now);
  const numbers = new Map<string, number>();
  const numberOf = (line: string) => {
    const number = numbers.get(line) ?? numbers.size;
    numbers.set(line, number);
    return number;
  };
  return (cells) => {
    const createdAt = cellOf(cells, 'created_at', past) ?? now;
    const firstName = cellOf(cells, 'first_name', name) ?? null;
    const lastName = cellOf(cells, 'last_name', name) ?? null;
    const given = cellOf(cells, 'slug', parseSlug) ?? null;
    const [slug = '', ...otherSlugs] =
      given === null
        ? slugCandidates(firstName, lastName, derivedRandom(`${program} ${numberOf(textOf(program, cells))}`))
        : [given];
    const fields = {
      email: neededCell(cells, 'email', parseEmail),
      firstName,
      lastName,
      slug,
      uid: cellOf(cells, 'uid', uid) ?? null,
      companyId: cellOf(cells, 'company_id', uid) ?? null,
      company: cellOf(cells, 'company', name) ?? null,
      commissionPercentage: cellOf(cells, 'commission_percentage', percentage) ?? null,
    };
    const id = uuidv7(milliseconds(createdAt * 1000), random);
    return { advocate: newAdvocate(fields, id, createdAt), otherSlugs };
  };
}
