import { formatMoney, formatUtcDate } from '../../kit/format.ts';
import type { Column } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/earnings.ts';
import { number, text } from '../columns.ts';
import type { Entry } from './ledger.ts';

const REASONS = new Map<string, string>(Object.entries(WORDS.reasons));

/** Why a payment earned nothing, or what somebody wrote about a bonus or a payout. */
function noteOf({ kind, note, reference }: Entry['attributes']): string | null {
  if (note !== null) return kind === 'payment' ? (REASONS.get(note) ?? note) : note;
  return reference;
}

/** The columns of entries, without the column that names a row on a phone. */
export const ENTRY_COLUMNS: readonly Column<Entry>[] = [
  text(
    WORDS.kind,
    ({ attributes }) => {
      const note = noteOf(attributes);
      return (
        <>
          {WORDS.kinds[attributes.kind]}
          {note !== null && (
            <span class="soft">
              : <bdi>{note}</bdi>
            </span>
          )}
        </>
      );
    },
    'below',
  ),
  number(WORDS.payment, ({ attributes: { kind, amount, currency } }) =>
    amount === null || kind === 'settlement' ? COMMON.noAmount : formatMoney(amount, currency),
  ),
  number(WORDS.earned, ({ attributes: { commission, currency } }) => formatMoney(commission, currency), 'key'),
];

export const dateOf = ({ attributes: { created_at } }: Entry) => formatUtcDate(created_at);
