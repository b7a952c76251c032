import { type Column, number, text } from '../../kit/columns.ts';
import { formatKey, formatMoney } from '../../kit/format.ts';
import { selectColumn } from '../../kit/select-column.tsx';
import { Table } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as PAYOUTS from '../../words/dashboard/payouts.ts';
import { hrefOf, useDashboard } from '../router.ts';
import { type Balance, canBePaid, isDue, minimumOf, reasonOf } from './balances.ts';
import { nameOf } from './run.ts';
import type { Selection } from './selection.tsx';

interface BalanceTableProps {
  readonly rows: readonly Balance[];
  readonly currency: string;
  /** `undefined` if the token pays nobody. Then it does not see the payout accounts either. */
  readonly selection: Selection | undefined;
}

/** The advocates with a balance: who is due, with the most first, then the others, and last who has no payout account. */
export function BalanceTable({ rows, currency, selection }: BalanceTableProps) {
  const { program } = useDashboard();
  const now = Date.now();
  const minimum = minimumOf(program, currency);
  const columns = [
    ...(selection
      ? [
          selectColumn<Balance>({
            selected: selection.rows,
            onSelect: selection.select,
            labelOf: nameOf,
            cannot: (row) => !canBePaid(row, now),
          }),
        ]
      : []),
    ...columnsOf(selection !== undefined, minimum, now),
  ];
  const rank = (row: Balance) =>
    isDue(row, minimum, now) ? 2 : Number(reasonOf(row, minimum, now) !== PAYOUTS.noAccount);
  return (
    <Table
      name={PAYOUTS.toPay}
      columns={columns}
      rows={rows.toSorted((one, other) => rank(other) - rank(one) || other.attributes.payable - one.attributes.payable)}
      keyOf={({ id }) => id}
    />
  );
}

function columnsOf(seesAccounts: boolean, minimum: number, now: number): Column<Balance>[] {
  const money = (amount: number, { attributes: { currency } }: Balance) => formatMoney(amount, currency);
  return [
    text(
      COMMON.advocate,
      (row) => (
        <a href={hrefOf('advocates', row.id)}>
          <bdi>{nameOf(row)}</bdi>
        </a>
      ),
      'name',
    ),
    ...(seesAccounts
      ? [
          text(
            PAYOUTS.method,
            (row) => {
              const reason = reasonOf(row, minimum, now);
              return (
                <>
                  {reason !== PAYOUTS.noAccount && PAYOUTS.methodOf(row.attributes.payout_method)}{' '}
                  {reason !== undefined && <span class="person-line payout-reason">{reason}</span>}
                </>
              );
            },
            'below',
          ) satisfies Column<Balance>,
        ]
      : []),
    number(PAYOUTS.due, (row) => money(row.attributes.payable, row), 'key'),
    number(
      PAYOUTS.onHold,
      (row) => {
        const { payable, waiting, payable_from } = row.attributes;
        return (
          <>
            <span class="payout-hold">{waiting === 0 ? '–' : money(waiting, row)}</span>
            {payable <= 0 && payable_from !== null && (
              <span class="person-line">{PAYOUTS.dueFrom(formatKey(payable_from, 'short'))}</span>
            )}
          </>
        );
      },
      'below',
    ),
  ];
}
