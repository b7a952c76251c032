import { MAX_SUB_ID, MAX_UID, parseEmail, parseSlug } from '../../../functions/domain/fields.ts';
import { derivedId, type Random, uuidv7 } from '../../../functions/domain/ids.ts';
import { checkRecord, type ReferralRecord } from '../../../functions/domain/imported-referral.ts';
import { STATES } from '../../../functions/domain/state.ts';
import { milliseconds, type Seconds } from '../../../functions/domain/time.ts';
import type { ReferralColumn } from '../referral-columns.ts';
import { cellOf, id, neededCell, oneOf, percentage, textUpTo, time, timeUntil } from './cells.ts';
import { DuplicateCounter } from './equal-lines.ts';
import { type Cells, textOf } from './rows.ts';

/** A parsed line. `record.id` is the id that the line gives, if any; `id` is the one that the referral gets. */
export interface ReferralEntry {
  readonly record: ReferralRecord;
  readonly id: string;
}

const state = oneOf(STATES);
const uid = textUpTo(MAX_UID);
const subId = textUpTo(MAX_SUB_ID);

/**
 * Returns the parser of one file's lines. A click without an id gets one that is derived from its line and from the number
 * of equal lines before it, so that the next import of the file finds the click by it. Any other referral without an id
 * gets a random one: an id that is derived from an email or a uid would recognize the person after an erasure.
 */
export function referralParser(
  program: string,
  now: Seconds,
  random: Random,
): (cells: Cells<ReferralColumn>) => ReferralEntry {
  const equalLines = new DuplicateCounter();
  const past = timeUntil(now);
  return (cells) => {
    const ownId = cellOf(cells, 'id', id) ?? null;
    const createdAt = cellOf(cells, 'created_at', past) ?? null;
    const stateSetAt = cellOf(cells, 'state_set_at', past) ?? null;
    const begin = createdAt ?? stateSetAt ?? now;
    const record: ReferralRecord = {
      id: ownId,
      advocateSlug: neededCell(cells, 'advocate_slug', parseSlug),
      email: cellOf(cells, 'email', parseEmail) ?? null,
      customerUid: cellOf(cells, 'uid', uid) ?? null,
      state: neededCell(cells, 'state', state),
      subId: cellOf(cells, 'sub_id', subId) ?? null,
      createdAt: begin,
      stateSetAt: stateSetAt ?? begin,
      commissionPercentage: cellOf(cells, 'commission_percentage', percentage),
      commissionEndDate: cellOf(cells, 'commission_end_date', time),
    };
    checkRecord(record);
    if (ownId !== null) return { record, id: ownId };
    if (record.state !== 'clicked') return { record, id: uuidv7(milliseconds(begin * 1000), random) };
    // A click has neither email nor uid: `checkRecord` rejects both.
    const source = textOf(program, cells);
    return { record, id: derivedId(`${equalLines.numberOf(source)} ${source}`, createdAt) };
  };
}
