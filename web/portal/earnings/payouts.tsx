import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { number, text } from '../../kit/columns.ts';
import { formatMoney } from '../../kit/format.ts';
import { List } from '../../kit/list.tsx';
import type { Pages } from '../../kit/pages.ts';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/earnings.ts';
import { dateOf } from './entry-columns.tsx';
import { type Entry, readEntries } from './ledger.ts';
import type { OpenPayout } from './payout-dialog.tsx';

const ROWS = 10;

/** A page of the API has the payouts among some entries, often none, so a page of the table needs several. */
export const readPayouts = (cursor: string | undefined, signal: AbortSignal) =>
  readEntries({ kind_eq: 'settlement', cursor }, signal, (rows) => rows.length >= ROWS);

/** A payout takes from the balance. */
const amountOf = ({ attributes: { commission } }: Entry) => -commission;

const REFERENCE = text<Entry>(WORDS.reference, ({ attributes: { reference } }) => <bdi>{reference}</bdi>, 'below');

interface PayoutsProps {
  readonly pages: Pages<Entry>;
  readonly onOpen: (payout: OpenPayout) => void;
}

export function Payouts({ pages, onOpen }: PayoutsProps) {
  const open = (entry: Entry) => onOpen({ entry, amount: amountOf(entry), currency: entry.attributes.currency });
  const hasReference = pages.rows.some(({ attributes: { reference } }) => reference !== null);
  const columns = [
    text<Entry>(
      COMMON.date,
      (entry) => <Button label={dateOf(entry)} kind="link" onClick={() => open(entry)} />,
      'name',
    ),
    ...(hasReference ? [REFERENCE] : []),
    number<Entry>(COMMON.amount, (entry) => formatMoney(amountOf(entry), entry.attributes.currency), 'key'),
  ];
  return (
    <Card title={WORDS.payouts}>
      <List
        lines={4}
        height={2.5}
        name={WORDS.payouts}
        pages={pages}
        columns={columns}
        empty={WORDS.noPayouts}
        onOpen={open}
      />
    </Card>
  );
}
