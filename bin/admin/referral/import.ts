import { hash } from 'node:crypto';
import * as advocates from '../../../functions/advocates/operator/advocate-import.ts';
import type { AttributionTarget } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { findRules } from '../../../functions/kernel/accounts/table/commission-rules.ts';
import { termsReader } from '../../../functions/kernel/accounts/table/terms.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { InvalidField } from '../../../functions/kernel/errors.ts';
import { MAX_UID, parseEmail, parseSlug } from '../../../functions/kernel/fields/fields.ts';
import { derivedId, type Random, uuidv7 } from '../../../functions/kernel/ids.ts';
import { milliseconds, type Seconds, secondOf } from '../../../functions/kernel/time.ts';
import { notingStoreOf } from '../../../functions/referrals/operator/import-note.ts';
import { storeReferrals } from '../../../functions/referrals/operator/referral-import.ts';
import {
  checkRecord,
  importedReferral,
  type ReferralRecord,
} from '../../../functions/referrals/rules/imported-referral.ts';
import { MAX_PROVIDER_ID } from '../../../functions/referrals/rules/provider-changes.ts';
import type { Attributed } from '../../../functions/referrals/rules/referral.ts';
import { NOTHING_REPORTED, REFERRAL_FIELDS } from '../../../functions/referrals/rules/referral-fields.ts';
import { FLAGS } from '../../../functions/referrals/rules/self-referral.ts';
import { STATES } from '../../../functions/referrals/rules/state.ts';
import type { AdminCommand, CliContext } from '../cli.ts';
import { type Cells, canonicalText } from '../csv.ts';
import { fieldParser, listOf, oneOf, optional, required, textUpTo, timeUntil, uuid } from '../import/cells.ts';
import { addImport } from '../import/command.ts';
import { PRESETS, REFERENCE_COLUMNS, REFERRAL_COLUMNS } from '../import/presets.ts';
import { outcomeOf } from '../import/report.ts';

/** A parsed line. `record.id` is its id, or null. Only a click without an id has `cells`. */
interface ReferralRow {
  readonly advocate: AdvocateReference;
  readonly record: ReferralRecord;
  readonly cells: Cells | null;
}

const uid = textUpTo(MAX_UID);
const stripeCustomer = textUpTo(MAX_PROVIDER_ID);

const NO_RECORD = {
  ...NOTHING_REPORTED,
  flags: [],
  convertedAt: null,
  commissionPercentage: undefined,
  commissionRulesId: undefined,
  commissionEndDate: undefined,
};

export function addReferralImport(referral: AdminCommand, context: CliContext): void {
  addImport<ReferralRow>(referral, context, {
    noun: 'referral',
    rows: 'referrals',
    subject: 'customer',
    columns: REFERRAL_COLUMNS,
    required: [REFERENCE_COLUMNS, ['state']],
    stateColumn: 'state',
    states: STATES,
    presetOf: (name) => PRESETS[name].referrals,
    remarks: `In every state but clicked, an email or a uid is also required, unless the line has an id, as in
an export. Without created_at, a referral is created now. Without the column commission_percentage or commission_end_date, it
gets the value of a new referral; an empty cell means no value. commission_rules_id replaces both. A click older than the
program's attribution days is deleted soon after the import. A line without an id is skipped if its email or uid already
belongs to a referral of the same advocate.
By stripe_customer (cus_…), events of Stripe that contain no email find the referral.`,
    storeOf: notingStoreOf,
    rowsOf: (program, table, store) => {
      const find = advocateLookup(table, program);
      const newIdOf = referralIds(program.id, context.random);
      const ids = new WeakMap<ReferralRow, string>();
      // A row that is stored again after an error keeps its id.
      const idOf = (row: ReferralRow, slug: string) => {
        const id = ids.get(row) ?? newIdOf(row, slug);
        ids.set(row, id);
        return id;
      };
      return {
        parse: referralParser(secondOf(context.clock())),
        writes: ({ record: { email, customerUid, stripeCustomer } }) =>
          1 + [email, customerUid, stripeCustomer].filter((claim) => claim !== null).length,
        store: async (rows) => {
          const found = await find(rows.map(({ advocate }) => advocate));
          await refuseUnknownRules(table, program.id, rows, found);
          const entries = rows.flatMap((row, index) => {
            const result = found[index];
            if (!result || 'reason' in result) return [];
            const id = idOf(row, result.target.slug);
            const referral = importedReferral(program, result, row.record, id);
            return [{ referral, hasId: row.record.id !== null, record: row.record }];
          });
          const stored = (await storeReferrals(table, program.id, entries, store)).values();
          return found.flatMap((result) => {
            const outcome = 'reason' in result ? result : stored.next().value;
            return typeof outcome === 'string' ? outcomeOf(outcome, 'referral') : (outcome ?? []);
          });
        },
      };
    },
  });
}

/** Replaces the advocates of lines with rules that the program does not know by a reason. */
async function refuseUnknownRules(table: Table, program: string, rows: readonly ReferralRow[], found: Found[]) {
  for (const [index, { record }] of rows.entries()) {
    const { commissionRulesId: id } = record;
    if (id && !(await findRules(table, program, id))) found[index] = { reason: UNKNOWN_RULES };
  }
}

const UNKNOWN_RULES =
  'commission_rules_id is not known in the program: set the same rules with `program update` or `group set` first';

export function referralParser(now: Seconds): (cells: Cells) => ReferralRow {
  const past = timeUntil(now);
  const times = { createdAt: past, stateSetAt: past, updatedAt: past, convertedAt: past };
  const own = { state: oneOf(STATES), flags: listOf(FLAGS), ...times };
  const parse = fieldParser(REFERRAL_FIELDS, own);
  return (cells) => {
    const { state, stateSetAt, createdAt = stateSetAt ?? now, ...others } = parse(cells);
    const record: ReferralRecord = {
      ...NO_RECORD,
      ...others,
      id: optional(cells, 'id', uuid),
      state: required('state', state),
      createdAt,
      stateSetAt: stateSetAt ?? createdAt,
      stripeCustomer: optional(cells, 'stripe_customer', stripeCustomer),
    };
    checkRecord(record);
    const isUnidentifiedClick = record.id === null && record.state === 'clicked';
    return { advocate: advocateOf(cells), record, cells: isUnidentifiedClick ? cells : null };
  };
}

function advocateOf(cells: Cells): AdvocateReference {
  const reference = {
    slug: optional(cells, 'advocate_slug', parseSlug),
    email: optional(cells, 'advocate_email', parseEmail),
    uid: optional(cells, 'advocate_uid', uid),
  };
  if (Object.values(reference).some((value) => value !== null)) return reference;
  const columns = REFERENCE_COLUMNS.filter((column) => cells[column] !== undefined);
  throw new InvalidField(columns.join(' or '), 'must not be empty');
}

/**
 * Returns a function that chooses the ids of the referrals of one file. A click's id is derived from its line and from the
 * number of equal lines before it, so that the next import recognizes the click. Other ids are random: an id derived from
 * an email or a uid would identify the person after an erasure; an advocate counts by its slug for the same reason.
 */
export function referralIds(program: string, random: Random): (row: ReferralRow, slug: string) => string {
  const counts = new Map<number, number>();
  return ({ record, cells }, slug) => {
    if (record.id !== null) return record.id;
    if (cells === null) return uuidv7(milliseconds(record.createdAt * 1000), random);
    // Always empty for clicks: older imports of clicks lacked the column.
    const { advocate_email, advocate_uid, stripe_customer: _, ...others } = cells;
    const isBySlug = advocate_email === undefined && advocate_uid === undefined;
    const source = canonicalText(program, isBySlug ? others : { ...others, advocate_slug: slug });
    // 32 bits instead of the line save memory. Lines with the same hash are counted together in every import of the file.
    const hashed = Number.parseInt(hash('sha256', source).slice(0, 8), 16) | 0;
    const count = counts.get(hashed) ?? 0;
    counts.set(hashed, count + 1);
    const hasTime = Boolean(cells['created_at']);
    return derivedId(`${count} ${source}`, hasTime ? record.createdAt : null);
  };
}

type AdvocateReference = Readonly<Record<'slug' | 'email' | 'uid', string | null>>;

type Found = Attributed | { readonly reason: string };

/** Maximum number of cached advocates, not counting the current batch. */
const MAX_CACHED = 10_000;

const UNKNOWN = 'does not belong to an advocate of the program: import the advocates first';
const SEVERAL = {
  reason: 'advocate_email belongs to several advocates: name the advocate by advocate_slug or advocate_uid instead',
};
const DISAGREE = { reason: 'advocate_slug, advocate_email and advocate_uid must name the same advocate' };

/** Returns a function that finds the advocates of lines. For emails, it reads the list of all advocates once. */
function advocateLookup(table: Table, program: Program) {
  const { id } = program;
  const termsOf = termsReader(table.clock);
  const bySlug = cached((slugs) => advocates.findAttributionTargets(table, id, slugs));
  const byUid = cached((uids) => advocates.findAttributionTargetsByUid(table, id, uids));
  let slugsByEmail: ReadonlyMap<string, string | null> | undefined;
  return async (references: readonly AdvocateReference[]): Promise<Found[]> => {
    if (references.some(({ email }) => email !== null)) slugsByEmail ??= await advocates.findSlugsByEmail(table, id);
    const slugOf = (email: string | null) => (email === null ? undefined : slugsByEmail?.get(email));
    const slugs = await bySlug(references.flatMap(({ slug, email }) => [slug, slugOf(email) ?? null]));
    const uids = await byUid(references.map(({ uid }) => uid));
    const found = references.map(({ slug, email, uid }) => {
      const isShared = slugOf(email) === null;
      const named = [
        { column: 'advocate_slug', name: slug, advocate: slugs.get(slug) },
        { column: 'advocate_email', name: isShared ? null : email, advocate: slugs.get(slugOf(email) ?? null) },
        { column: 'advocate_uid', name: uid, advocate: uids.get(uid) },
      ].filter(({ name }) => name !== null);
      const unknown = named.find(({ advocate }) => !advocate);
      if (unknown) return { reason: `${unknown.column} ${UNKNOWN}` };
      const [advocate, ...others] = named.flatMap((found) => found.advocate ?? []);
      // The email of several advocates is the only one in the line.
      if (!advocate) return SEVERAL;
      const isSame = others.every((other) => other.slug === advocate.slug) && !(isShared && advocate.email !== email);
      return isSame ? { target: advocate } : DISAGREE;
    });
    return Promise.all(
      found.map(async (each) =>
        'reason' in each ? each : { ...each, terms: await termsOf(table, program, each.target) },
      ),
    );
  };
}

function cached(find: (names: readonly string[]) => Promise<ReadonlyMap<string, AttributionTarget>>) {
  const cache = new Map<string | null, AttributionTarget | undefined>();
  return async (names: readonly (string | null)[]): Promise<typeof cache> => {
    if (cache.size > MAX_CACHED) cache.clear();
    const unknown = [...new Set(names)].filter((name) => name !== null).filter((name) => !cache.has(name));
    const found = unknown.length > 0 ? await find(unknown) : cache;
    for (const name of unknown) cache.set(name, found.get(name));
    return cache;
  };
}
