import { derivedId } from '../../../functions/domain/derived-id.ts';
import { parseEmail } from '../../../functions/domain/email.ts';
import { checkRecord, type ReferralRecord } from '../../../functions/domain/imported-referral.ts';
import { parseSlug } from '../../../functions/domain/slug.ts';
import { STATES } from '../../../functions/domain/state.ts';
import { MAX_SUB_ID, MAX_UID } from '../../../functions/domain/text.ts';
import type { Seconds } from '../../../functions/domain/time.ts';
import type { ReferralColumn } from '../referral-columns.ts';
import { cellOf, id, neededCell, oneOf, percentage, textUpTo, time, timeUntil } from './cells.ts';
import { EqualLines } from './equal-lines.ts';
import { type Cells, textOf } from './rows.ts';

/** What a line says of a referral, and the referral's id. */
export interface ReferralEntry {
  readonly record: ReferralRecord;
  readonly id: string;
}

const state = oneOf(STATES);
const uid = textUpTo(MAX_UID);
const subId = textUpTo(MAX_SUB_ID);

/**
 * Makes the parser of the lines of one file. A line without id gets one that follows from what it says and from how many
 * lines before it say the same: at the next import of the file it is the same.
 */
export function referralParser(
  program: string,
  now: Seconds,
): (cells: Cells<ReferralColumn>) => ReferralEntry {
  const equalLines = new EqualLines();
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
    const source = textOf(program, cells);
    return { record, id: derivedId(`${equalLines.numberOf(source)} ${source}`, createdAt) };
  };
}
