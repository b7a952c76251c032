import { formatKey, formatMoney } from '../../kit/format.ts';
import { type Column, Table } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as PAYOUTS from '../../words/dashboard/payouts.ts';
import { hrefOf, useDashboard } from '../router.ts';
import { type Balance, canBePaid, minimumOf, nameOf, reasonOf } from './balances.ts';
import type { Selection } from './selection.tsx';

interface BalanceTableProps {
  readonly rows: readonly Balance[];
  readonly currency: string;
  /** `undefined` if the token pays nobody. Then it does not see the payout accounts either. */
  readonly selection: Selection | undefined;
}

/** The advocates with a balance, the largest first. */
export function BalanceTable({ rows, currency, selection }: BalanceTableProps) {
  const { program } = useDashboard();
  const now = Date.now();
  const columns = columnsOf(selection !== undefined, minimumOf(program, currency), now);
  return (
    <Table
      name={PAYOUTS.toPay}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      {...(selection && {
        selection: {
          selected: new Set(selection.rows.keys()),
          onSelect: (slug: string, isSelected: boolean) => {
            const row = rows.find(({ id }) => id === slug);
            if (row) selection.select(row, isSelected);
          },
          labelOf: nameOf,
          cannot: (row: Balance) => !canBePaid(row, now),
        },
      })}
    />
  );
}

function columnsOf(seesAccounts: boolean, minimum: number, now: number): Column<Balance>[] {
  const money = (amount: number, { attributes: { currency } }: Balance) => formatMoney(amount, currency);
  return [
    {
      id: 'advocate',
      name: COMMON.advocate,
      onPhone: 'name',
      cell: (row) => (
        <a href={hrefOf('advocates', row.id)}>
          <bdi>{nameOf(row)}</bdi>
        </a>
      ),
    },
    ...(seesAccounts
      ? [
          {
            id: 'method',
            name: PAYOUTS.method,
            onPhone: 'below',
            cell: (row) => {
              const method = PAYOUTS.methodOf(row.attributes.payout_method);
              const reason = reasonOf(row, minimum, now);
              return (
                <>
                  {method}
                  {reason !== undefined && reason !== method && <span class="person-line">{reason}</span>}
                </>
              );
            },
          } satisfies Column<Balance>,
        ]
      : []),
    {
      id: 'due',
      name: PAYOUTS.due,
      isNumber: true,
      onPhone: 'key',
      cell: (row) => money(row.attributes.payable, row),
    },
    { id: 'on-hold', name: PAYOUTS.onHold, isNumber: true, cell: (row) => money(row.attributes.waiting, row) },
    {
      id: 'due-from',
      name: PAYOUTS.dueFrom,
      isNumber: true,
      cell: ({ attributes: { payable_from: day } }) =>
        day === null ? '–' : day <= new Date(now).toISOString().slice(0, 10) ? PAYOUTS.today : formatKey(day, 'short'),
    },
  ];
}
