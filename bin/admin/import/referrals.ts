import { InvalidField } from '../../../functions/domain/errors.ts';
import { MAX_SUB_ID, MAX_UID, parseEmail, parseSlug } from '../../../functions/domain/fields.ts';
import { derivedId, type Random, uuidv7 } from '../../../functions/domain/ids.ts';
import { NO_METADATA } from '../../../functions/domain/metadata.ts';
import {
  checkRecord,
  importedReferral,
  type ReferralRecord,
} from '../../../functions/domain/referral/imported-referral.ts';
import { MAX_PROVIDER_ID } from '../../../functions/domain/referral/payment.ts';
import { FLAGS } from '../../../functions/domain/referral/self-referral.ts';
import { STATES } from '../../../functions/domain/referral/state.ts';
import { milliseconds, type Seconds, secondOf } from '../../../functions/domain/time.ts';
import { storeReferrals } from '../../../functions/table/operator/referral-import.ts';
import type { AdminCommand, CliContext } from '../cli.ts';
import { type Cells, canonicalText } from '../csv.ts';
import { type AdvocateReference, advocateLookup } from './advocate-lookup.ts';
import { cellOf, listOf, metadata, oneOf, percentage, requiredCell, textUpTo, time, timeUntil, uuid } from './cells.ts';
import { REFERENCE_COLUMNS, REFERRAL_COLUMNS, type ReferralColumn } from './columns.ts';
import { addImport } from './command.ts';
import { DuplicateCounter } from './duplicate-counter.ts';
import { PRESETS } from './presets.ts';

/** A parsed line. `record.id` is its id, or null. `cells` are those of a click without an id. */
interface ReferralRow {
  readonly advocate: AdvocateReference;
  readonly record: ReferralRecord;
  readonly cells: Cells<ReferralColumn> | null;
}

const OUTCOMES = {
  created: 'created',
  known: 'skipped',
  contradicted: 'contradicted',
  'id taken': { reason: 'id belongs to another referral' },
  'email taken': { reason: 'email belongs to another referral' },
  'uid taken': { reason: 'uid belongs to another referral' },
  'stripe customer taken': { reason: 'stripe_customer belongs to another referral' },
} as const;
const state = oneOf(STATES);
const uid = textUpTo(MAX_UID);
const subId = textUpTo(MAX_SUB_ID);
const flags = listOf(FLAGS);
const stripeCustomer = textUpTo(MAX_PROVIDER_ID);

/** Adds `referral import`. */
export function addReferralImport(referral: AdminCommand, context: CliContext): void {
  addImport<ReferralColumn, ReferralRow>(referral, context, {
    noun: 'referral',
    columns: { allowed: REFERRAL_COLUMNS, required: [REFERENCE_COLUMNS, ['state']] },
    stateColumn: 'state',
    states: STATES,
    presetOf: (name) => PRESETS[name].referrals,
    remarks: `In every state but clicked, an email or a uid is required too, unless the line has an id, as in
an export. Without created_at, a referral is created now. Without the column commission_percentage or commission_end_date, it
gets the value of a new referral; an empty cell means no value. A click older than the program's attribution days is deleted
soon after the import. A line without an id is skipped if its email or uid already belongs to a referral of the same advocate.
By stripe_customer (cus_…), events of Stripe that contain no email find the referral.`,
    spec: (program, table, store) => {
      const find = advocateLookup(table, program.id);
      const idOf = referralIds(program.id, context.random);
      return {
        parse: referralParser(secondOf(context.clock())),
        writes: ({ record: { email, customerUid, stripeCustomer } }) =>
          1 + [email, customerUid, stripeCustomer].filter((claim) => claim !== null).length,
        store: async (rows) => {
          const found = await find(rows.map(({ advocate }) => advocate));
          const entries = rows.flatMap((row, index) => {
            const result = found[index];
            if (!result || 'reason' in result) return [];
            const id = idOf(row, result.advocate.slug);
            const referral = importedReferral(program, result.advocate, row.record, id);
            return [{ referral, hasId: row.record.id !== null, record: row.record }];
          });
          const stored = (await storeReferrals(table, program.id, entries, store)).values();
          return found.flatMap((result) => {
            const outcome = 'reason' in result ? result : stored.next().value;
            return typeof outcome === 'string' ? OUTCOMES[outcome] : (outcome ?? []);
          });
        },
      };
    },
  });
}

/** Returns the parser for the lines of one file. */
export function referralParser(now: Seconds): (cells: Cells<ReferralColumn>) => ReferralRow {
  const past = timeUntil(now);
  return (cells) => {
    const id = cellOf(cells, 'id', uuid) ?? null;
    const createdAt = cellOf(cells, 'created_at', past) ?? null;
    const stateSetAt = cellOf(cells, 'state_set_at', past) ?? null;
    const begin = createdAt ?? stateSetAt ?? now;
    const record: ReferralRecord = {
      id,
      email: cellOf(cells, 'email', parseEmail) ?? null,
      customerUid: cellOf(cells, 'uid', uid) ?? null,
      state: requiredCell(cells, 'state', state),
      subId: cellOf(cells, 'sub_id', subId) ?? null,
      createdAt: begin,
      stateSetAt: stateSetAt ?? begin,
      flags: cellOf(cells, 'flags', flags) ?? [],
      metadata: cellOf(cells, 'metadata', metadata) ?? NO_METADATA,
      commissionPercentage: cellOf(cells, 'commission_percentage', percentage),
      commissionEndDate: cellOf(cells, 'commission_end_date', time),
      stripeCustomer: cellOf(cells, 'stripe_customer', stripeCustomer) ?? null,
    };
    checkRecord(record);
    const isUnidentifiedClick = id === null && record.state === 'clicked';
    return { advocate: advocateOf(cells), record, cells: isUnidentifiedClick ? cells : null };
  };
}

function advocateOf(cells: Cells<ReferralColumn>): AdvocateReference {
  const reference = {
    slug: cellOf(cells, 'advocate_slug', parseSlug) ?? null,
    email: cellOf(cells, 'advocate_email', parseEmail) ?? null,
    uid: cellOf(cells, 'advocate_uid', uid) ?? null,
  };
  if (Object.values(reference).some((value) => value !== null)) return reference;
  const columns = REFERENCE_COLUMNS.filter((column) => cells[column] !== undefined);
  throw new InvalidField(columns.join(' or '), 'must not be empty');
}

/**
 * Returns a function that chooses the ids of the referrals of one file. A click without an id gets one derived from its
 * line and from the number of equal lines before it, so that the next import of the file recognizes the click. Any other
 * referral without an id gets a random one: an id derived from an email or a uid would still identify the person after an
 * erasure. For the same reason, the click's advocate counts by its slug. A column that is always empty for clicks does
 * not count, so that clicks that were imported before the column existed are recognized.
 */
export function referralIds(program: string, random: Random): (row: ReferralRow, slug: string) => string {
  const duplicates = new DuplicateCounter();
  return ({ record, cells }, slug) => {
    if (record.id !== null) return record.id;
    if (cells === null) return uuidv7(milliseconds(record.createdAt * 1000), random);
    const { advocate_email, advocate_uid, stripe_customer: _, ...others } = cells;
    const isBySlug = advocate_email === undefined && advocate_uid === undefined;
    const source = canonicalText(program, isBySlug ? others : { ...others, advocate_slug: slug });
    const hasTime = Boolean(cells.created_at);
    return derivedId(`${duplicates.numberOf(source)} ${source}`, hasTime ? record.createdAt : null);
  };
}
