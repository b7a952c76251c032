import { draftAdvocate } from '../../../functions/advocates/rules/advocate-changes.ts';
import { type Advocate, EMPTY_ADVOCATE } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { ADVOCATE_FIELDS } from '../../../functions/kernel/accounts/rules/advocate-fields.ts';
import { parseCode, parsePromotionId } from '../../../functions/kernel/accounts/rules/code.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { InvalidField } from '../../../functions/kernel/errors.ts';
import { fieldsIn, namesSet } from '../../../functions/kernel/fields/field-list.ts';
import { derivedRandom, type Random, uuidv7 } from '../../../functions/kernel/ids.ts';
import { bulkStoreOf } from '../../../functions/kernel/operator/bulk-writes.ts';
import { milliseconds, type Seconds, secondOf } from '../../../functions/kernel/time.ts';
import type { AdminCommand, CliContext } from '../cli.ts';
import { type Cells, canonicalText } from '../csv.ts';
import { fieldParser, oneOf, optional, type Parser, required, timeUntil, uuid } from '../import/cells.ts';
import { addImport } from '../import/command.ts';
import { ADVOCATE_COLUMNS, PRESETS } from '../import/presets.ts';
import { type AdvocateRow, type ImportedCode, storeAdvocates } from './import-rows.ts';

const ACTIVE = ['true', 'false'] as const;
const NO_SLUG =
  'No column is the slug: the advocates get new ones, and links that they have shared will not work. Name it with --map.';

export function addAdvocateImport(advocate: AdminCommand, context: CliContext): void {
  addImport<AdvocateRow>(advocate, context, {
    noun: 'advocate',
    rows: 'advocates',
    subject: 'advocate',
    columns: ADVOCATE_COLUMNS,
    required: [['email']],
    stateColumn: 'active',
    states: ACTIVE,
    presetOf: (name) => PRESETS[name].advocates,
    advised: { column: 'slug', warning: NO_SLUG },
    remarks: `Without a slug, the advocate gets one generated from its names. Without created_at, the advocate is created
now. The column active is true or false; empty means true. --map-state translates its values. A line with erased_at, as in
an export, restores the slug of an erased advocate without a person. A line is skipped if its slug belongs to an advocate with
the same email and uid, or with the same id who was erased since. Spaces separate promotion codes, such as
JANE20, JANE20=promo_1 with Stripe's id, or !JANE20, which is inactive. A dry run does not check them.`,
    storeOf: bulkStoreOf,
    rowsOf: (program, table, store, isDryRun) => ({
      parse: advocateParser(program, secondOf(context.clock()), context.random),
      writes: ({ advocate: { uid } }) => (uid === null ? 1 : 2),
      store: (rows) => storeAdvocates({ table, program: program.id, store, isDryRun }, rows),
    }),
  });
}

const codes: Parser<readonly ImportedCode[]> = (column, text) =>
  text.split(' ').flatMap((word) => {
    const [, inactive, code = '', id] = /^(!?)([^=]*)(?:=(.*))?$/.exec(word) ?? [];
    if (word === '') return [];
    const promotionCodeId = id === undefined ? undefined : parsePromotionId(column, id);
    return [{ code: parseCode(column, code), active: inactive === '', promotionCodeId }];
  });

/**
 * Returns the parser for the lines of one file. The random characters of a slug are derived from the line's position among
 * the distinct lines without a slug, so that the next import tries the same slugs; not from the email: links are public.
 */
export function advocateParser(
  program: Pick<Program, 'id' | 'slugs'>,
  now: Seconds,
  random: Random,
): (cells: Cells) => AdvocateRow {
  const active = oneOf(ACTIVE);
  const parse = fieldParser(ADVOCATE_FIELDS, {
    id: uuid,
    createdAt: timeUntil(now),
    erasedAt: timeUntil(now),
    active: (column, text) => active(column, text) === 'true',
  });
  const positions = new Map<string, number>();
  const slugRandom = (cells: Cells) => {
    const line = canonicalText(program.id, cells);
    const position = positions.get(line) ?? positions.size;
    positions.set(line, position);
    return derivedRandom(`${program.id} ${position}`);
  };
  return (cells) => {
    // An invalid line also counts: after its repair, the lines below it still get the same slugs.
    const randomOfSlug = cells['slug'] ? random : slugRandom(cells);
    const {
      id: given,
      slug = null,
      erasedAt = null,
      createdAt = erasedAt ?? now,
      active = true,
      ...others
    } = parse(cells);
    const id = given ?? uuidv7(milliseconds(createdAt * 1000), random);
    if (erasedAt !== null) checkErased({ createdAt, erasedAt, slug, ...others });
    const email = erasedAt === null ? required('email', others.email) : null;
    const fields = { ...EMPTY_ADVOCATE, ...others, slug, email };
    const { advocate, otherSlugs } = draftAdvocate(fields, program, { id, now: createdAt, random: randomOfSlug });
    const stored = { ...advocate, active: active && erasedAt === null, erasedAt };
    return { advocate: stored, otherSlugs, codes: optional(cells, 'codes', codes) ?? [] };
  };
}

type ErasedLine = { readonly createdAt: Seconds; readonly erasedAt: Seconds; readonly slug: string | null };

/** Checks the line of an erased advocate, whose slug stays taken. Throws `InvalidField`. */
function checkErased(line: Partial<Omit<Advocate, 'slug'>> & ErasedLine): void {
  if (line.slug === null) throw new InvalidField('slug', 'must not be empty if erased_at is set');
  if (line.erasedAt < line.createdAt) throw new InvalidField('erased_at', 'must not be before created_at');
  const [column] = namesSet(fieldsIn(ADVOCATE_FIELDS, 'file'), 'personal', { ...EMPTY_ADVOCATE, ...line });
  if (column !== undefined) throw new InvalidField(column, 'must be empty if erased_at is set');
}
