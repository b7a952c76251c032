import { Button, Card } from '../../kit/controls.tsx';
import { formatMoney } from '../../kit/format.ts';
import { readyOf } from '../../kit/status.tsx';
import type { usePages } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/earnings.ts';
import { number, text } from '../columns.ts';
import { List } from '../list.tsx';
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
  readonly pages: ReturnType<typeof usePages<Entry>>;
  readonly onOpen: (payout: OpenPayout) => void;
}

export function Payouts({ pages, onOpen }: PayoutsProps) {
  const open = (entry: Entry) => onOpen({ entry, amount: amountOf(entry), currency: entry.attributes.currency });
  const hasReference = readyOf(pages.list)?.value.rows.some(({ attributes: { reference } }) => reference !== null);
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
      <List name={WORDS.payouts} pages={pages} columns={columns} empty={WORDS.noPayouts} onOpen={open} />
    </Card>
  );
}
