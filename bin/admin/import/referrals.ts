import type { AttributionTarget } from '../../../functions/domain/advocate.ts';
import { MAX_SUB_ID, MAX_UID, parseEmail, parseSlug } from '../../../functions/domain/fields.ts';
import { derivedId, type Random, uuidv7 } from '../../../functions/domain/ids.ts';
import { checkRecord, importedReferral, type ReferralRecord } from '../../../functions/domain/imported-referral.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { STATES } from '../../../functions/domain/state.ts';
import { milliseconds, type Seconds, secondOf } from '../../../functions/domain/time.ts';
import { findAttributionTargets } from '../../../functions/table/operator/advocate-import.ts';
import { storeReferrals } from '../../../functions/table/operator/referral-import.ts';
import type { Table } from '../../../functions/table/table.ts';
import type { AdminCommand, CliContext } from '../cli.ts';
import { type Cells, canonicalText } from '../csv.ts';
import { REFERRAL_COLUMNS } from '../referral-export.ts';
import { cellOf, id, oneOf, percentage, requiredCell, textUpTo, time, timeUntil } from './cells.ts';
import { addImport } from './command.ts';
import { DuplicateCounter } from './duplicate-counter.ts';
import type { ImportSpec } from './run.ts';

type Column = (typeof REFERRAL_COLUMNS)[number];

/** A parsed line. `record.id` is the id in the line, or null; `id` is the id of the referral. */
interface ReferralRow {
  readonly record: ReferralRecord;
  readonly id: string;
}

const COLUMNS = { allowed: REFERRAL_COLUMNS, required: ['advocate_slug', 'state'] } as const;

const OUTCOMES = {
  created: 'created',
  known: 'skipped',
  'id taken': { reason: 'id belongs to another referral' },
  'email taken': { reason: 'email belongs to another referral' },
  'uid taken': { reason: 'uid belongs to another referral' },
} as const;
const UNKNOWN_ADVOCATE = {
  reason: 'advocate_slug does not belong to an advocate of the program: import the advocates first',
};

/** Maximum number of cached slugs, not counting the current batch. */
const MAX_CACHED = 10_000;

const state = oneOf(STATES);
const uid = textUpTo(MAX_UID);
const subId = textUpTo(MAX_SUB_ID);

/** Adds `referral import`. */
export function addReferralImport(referral: AdminCommand, context: CliContext): void {
  addImport(referral, context, {
    noun: 'referral',
    columns: COLUMNS,
    remarks: `In every state but clicked, an email or a uid is required too, unless the line
has an id, as in an export. Times are Unix seconds or RFC 3339. Without created_at, a referral is created now. Without the
column commission_percentage or commission_end_date, it gets the value of a new referral; an empty cell means no value. A click
older than the program's attribution days is deleted soon after the import. A line without an id is skipped if its email or
uid already belongs to a referral of the same advocate.`,
    spec: (program, table) => referralSpec(program, table, secondOf(context.clock()), context.random),
  });
}

function referralSpec(program: Program, table: Table, now: Seconds, random: Random): ImportSpec<Column, ReferralRow> {
  const advocatesOf = cachedAdvocates(table, program.id);
  return {
    columns: COLUMNS,
    parse: referralParser(program.id, now, random),
    writes: ({ record: { email, customerUid } }) => 1 + (email === null ? 0 : 1) + (customerUid === null ? 0 : 1),
    store: async (rows) => {
      const advocates = await advocatesOf(rows);
      const referrals = rows.map(({ record, id }) => {
        const advocate = advocates.get(record.advocateSlug);
        return advocate && { referral: importedReferral(program, advocate, record, id), hasId: record.id !== null };
      });
      const known = referrals.filter((referral) => referral !== undefined);
      const stored = (await storeReferrals(table, program.id, known)).values();
      return referrals.map((referral) => {
        const outcome = referral && stored.next().value;
        return outcome ? OUTCOMES[outcome] : UNKNOWN_ADVOCATE;
      });
    },
  };
}

/** Returns a function that finds the advocates of rows, by slug. Its result may contain more, cached advocates. */
function cachedAdvocates(table: Table, program: string) {
  const cache = new Map<string, AttributionTarget | undefined>();
  return async (rows: readonly ReferralRow[]) => {
    if (cache.size > MAX_CACHED) cache.clear();
    const slugs = new Set(rows.map(({ record }) => record.advocateSlug));
    const unknown = [...slugs].filter((slug) => !cache.has(slug));
    const found = await findAttributionTargets(table, program, unknown);
    for (const slug of unknown) cache.set(slug, found.get(slug));
    return cache;
  };
}

/**
 * Returns the parser for the lines of one file. A click without an id gets one derived from its line and from the number
 * of equal lines before it, so that the next import of the file recognizes the click. Any other referral without an id
 * gets a random one: an id derived from an email or a uid would still identify the person after an erasure.
 */
export function referralParser(program: string, now: Seconds, random: Random): (cells: Cells<Column>) => ReferralRow {
  const duplicates = new DuplicateCounter();
  const past = timeUntil(now);
  return (cells) => {
    const ownId = cellOf(cells, 'id', id) ?? null;
    const createdAt = cellOf(cells, 'created_at', past) ?? null;
    const stateSetAt = cellOf(cells, 'state_set_at', past) ?? null;
    const begin = createdAt ?? stateSetAt ?? now;
    const record: ReferralRecord = {
      id: ownId,
      advocateSlug: requiredCell(cells, 'advocate_slug', parseSlug),
      email: cellOf(cells, 'email', parseEmail) ?? null,
      customerUid: cellOf(cells, 'uid', uid) ?? null,
      state: requiredCell(cells, 'state', state),
      subId: cellOf(cells, 'sub_id', subId) ?? null,
      createdAt: begin,
      stateSetAt: stateSetAt ?? begin,
      flags: [],
      commissionPercentage: cellOf(cells, 'commission_percentage', percentage),
      commissionEndDate: cellOf(cells, 'commission_end_date', time),
    };
    checkRecord(record);
    if (ownId !== null) return { record, id: ownId };
    if (record.state !== 'clicked') return { record, id: uuidv7(milliseconds(begin * 1000), random) };
    // A click has neither email nor uid: `checkRecord` rejects both.
    const source = canonicalText(program, cells);
    return { record, id: derivedId(`${duplicates.numberOf(source)} ${source}`, createdAt) };
  };
}
