import type { Column } from '../../kit/columns.ts';
import { number, text } from '../../kit/columns.ts';
import { amountOf, commissionOf, noteOf } from '../../kit/entries.ts';
import { formatUtcDate } from '../../kit/format.ts';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/earnings.ts';
import type { Entry } from './ledger.ts';

/** The columns of entries, without the column that names a row on a phone. */
export const ENTRY_COLUMNS: readonly Column<Entry>[] = [
  text(
    WORDS.kind,
    (entry) => {
      const { kind, reference } = entry.attributes;
      const note = noteOf(entry) ?? reference;
      return (
        <>
          {COMMON.kinds[kind]}
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
  number(WORDS.payment, (entry) => (entry.attributes.kind === 'settlement' ? COMMON.noAmount : amountOf(entry))),
  number(WORDS.earned, commissionOf, 'key'),
];

export const dateOf = ({ attributes: { created_at } }: Entry) => formatUtcDate(created_at);
