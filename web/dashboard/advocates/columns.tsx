import { type Column, number, text } from '../../kit/columns.ts';
import { formatDate, formatMoney, formatNumber } from '../../kit/format.ts';
import { Menu } from '../../kit/menu.tsx';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { nameOf, Person } from '../person.tsx';
import { hrefOf } from '../router.ts';
import { type Advocate, copyLink, isErased } from './actions.ts';
import { type Groups, titleOf } from './groups.tsx';
import { moneyOf, type Row, type Sort } from './rows.ts';

/** What the menu of a row does. `undefined` if the token does not allow it. */
export interface RowActions {
  readonly open: (advocate: Advocate) => void;
  readonly setActive: (advocate: Advocate, active: boolean) => void;
}

interface ColumnsOptions {
  readonly groups: Groups | undefined;
  /** The currency of the money; `undefined` until it is known, `''` without money. */
  readonly currency: string | undefined;
  readonly actions: RowActions | undefined;
  /** `undefined` during a search. */
  readonly sorting: { readonly by: Sort; readonly onSort: (by: Sort) => void } | undefined;
}

export function columnsOf({ groups, currency, actions, sorting }: ColumnsOptions): Column<Row>[] {
  const sortBy = (id: Sort, name: string) =>
    sorting && {
      sorted: sorting.by === id ? ('descending' as const) : ('none' as const),
      heading: (
        <button type="button" class="sort" onClick={() => sorting.onSort(id)}>
          {name}
        </button>
      ),
    };
  const count = (id: 'clicks' | 'conversions' | 'paying', name: string): Column<Row> => ({
    ...sortBy(id, name),
    ...number<Row>(name, ({ attributes: { totals } }) =>
      totals[id] < totals.conversions && id === 'clicks' ? (
        <>
          {formatNumber(totals[id])}
          <span class="person-line">{ADVOCATES.notByLink}</span>
        </>
      ) : (
        formatNumber(totals[id])
      ),
    ),
  });
  const money = (id: 'revenue' | 'earned' | 'balance', name: string): Column<Row> => ({
    ...sortBy(id, name),
    ...number<Row>(
      name,
      (row) => {
        if (currency === undefined) return COMMON.unknown;
        const amount = moneyOf(row, id, currency);
        return amount === undefined ? '–' : formatMoney(amount, currency);
      },
      id === 'earned' ? 'key' : undefined,
    ),
  });
  return [
    text(COMMON.advocate, (row) => <NameCell row={row} />, 'name'),
    text(ADVOCATES.group, ({ attributes: { group } }) => (group === null ? '–' : <bdi>{titleOf(groups, group)}</bdi>)),
    count('clicks', COMMON.clicks),
    count('conversions', COMMON.signUps),
    count('paying', COMMON.paying),
    money('revenue', ADVOCATES.revenue),
    money('earned', ADVOCATES.earned),
    money('balance', ADVOCATES.balance),
    text(COMMON.actions, (row) => !isErased(row) && <RowMenu advocate={row} actions={actions} />),
  ];
}

/** On a phone, the line below the name has what the hidden columns would say. */
function NameCell({ row }: { readonly row: Row }) {
  const { attributes } = row;
  const { active, slug, totals, created_at } = attributes;
  const state = isErased(row) ? COMMON.erased : !active && ADVOCATES.statuses.paused;
  const badge = state && <span class="badge warn">{state}</span>;
  return (
    <>
      <Person {...attributes} href={hrefOf('advocates', slug)} beside={badge} />
      <span class="person-line on-phone">
        {ADVOCATES.payingCount(formatNumber(totals.paying))} · {formatDate(created_at)}
      </span>
    </>
  );
}

function RowMenu({ advocate, actions }: { readonly advocate: Advocate; readonly actions: RowActions | undefined }) {
  const { attributes } = advocate;
  return (
    <Menu
      label="⋯"
      kind="quiet"
      name={ADVOCATES.actionsFor(nameOf(attributes))}
      items={[
        { label: COMMON.copyLink, onSelect: () => void copyLink(advocate) },
        ...(actions
          ? [
              { label: ADVOCATES.openPage, onSelect: () => actions.open(advocate) },
              {
                label: attributes.active ? ADVOCATES.pause : ADVOCATES.resume,
                onSelect: () => actions.setActive(advocate, !attributes.active),
              },
            ]
          : []),
      ]}
    />
  );
}
