import type { Schemas } from '../../kit/api.ts';
import { formatMoney, formatUtcDate } from '../../kit/format.ts';
import type { Column } from '../../kit/table.tsx';
import * as WORDS from '../../words/portal/earnings.ts';

export type Entry = Schemas['Entry'];

const REASONS = new Map<string, string>(Object.entries(WORDS.reasons));

/** Why a payment earned nothing, or what somebody wrote about a bonus or a payout. */
function noteOf({ kind, note, reference }: Entry['attributes']): string | null {
  if (note !== null) return kind === 'payment' ? (REASONS.get(note) ?? note) : note;
  return reference;
}

export const DATE: Column<Entry> = {
  id: 'date',
  name: WORDS.date,
  cell: ({ attributes: { created_at } }) => formatUtcDate(created_at),
  onPhone: 'below',
};

export const KIND: Column<Entry> = {
  id: 'kind',
  name: WORDS.kind,
  cell: ({ attributes }) => {
    const note = noteOf(attributes);
    return (
      <>
        {WORDS.kinds[attributes.kind]}
        {note !== null && (
          <span class="soft note">
            : <bdi>{note}</bdi>
          </span>
        )}
      </>
    );
  },
  onPhone: 'below',
};

export const PAYMENT: Column<Entry> = {
  id: 'payment',
  name: WORDS.payment,
  cell: ({ attributes: { kind, amount, currency } }) =>
    amount === null || kind === 'settlement' ? '–' : formatMoney(amount, currency),
  isNumber: true,
};

export const EARNED: Column<Entry> = {
  id: 'earned',
  name: WORDS.earned,
  cell: ({ attributes: { commission, currency } }) => formatMoney(commission, currency),
  isNumber: true,
  onPhone: 'key',
};
