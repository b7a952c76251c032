import { useState } from 'preact/hooks';
import { CurrencyField } from '../../kit/fields.tsx';
import { dayOf, formatMoney, monthsBack } from '../../kit/format.ts';
import { Paged, Pager } from '../../kit/list.tsx';
import { readyOf, refresh, useLoaded } from '../../kit/loaded.ts';
import { usePages } from '../../kit/pages.ts';
import * as COMMON from '../../words/common.ts';
import * as PAYOUTS from '../../words/dashboard/payouts.ts';
import { hrefOf, replaceFilters, useDashboard } from '../router.ts';
import { api } from '../service.ts';
import { Stat } from '../stat.tsx';
import { type Balance, type BalancePage, type Currencies, collectBalances, readBalances, readDue } from './balances.ts';
import { PayoutDialog } from './dialog.tsx';
import { History, useRuns } from './history.tsx';
import { SelectionBar, useSelection } from './selection.tsx';
import { Statements } from './statements.tsx';
import { BalanceTable } from './to-pay.tsx';

/** What advocates are owed, whom to pay, and what was paid. */
export function Payouts() {
  const { can, token, route } = useDashboard();
  const { currency: chosen, advocate } = route.filters;
  const [currencies, setCurrencies] = useState<Currencies>([]);
  const runs = useRuns();
  const pages = usePages(
    async (cursor, signal) => {
      const read = await readBalances(api, chosen, cursor, signal);
      setCurrencies(read.currencies);
      const rows = cursor === undefined ? await withAdvocate(read, signal) : read.rows;
      return { rows, next: read.next };
    },
    [chosen],
  );
  /** The advocate of the address stands first, if something is due to it and it is on another page. */
  async function withAdvocate({ rows, next }: BalancePage, signal: AbortSignal) {
    const isWanted = ({ id }: Balance) => id === advocate;
    if (advocate === undefined || next === undefined || rows.some(isWanted)) return rows;
    const currency = rows[0]?.attributes.currency;
    const due = await readDue(api, advocate);
    if (!due.some((sums) => sums.currency === currency && sums.payable > 0)) return rows;
    const read = (cursor: string | undefined) => readBalances(api, currency, cursor, signal);
    return [...(await collectBalances(read, isWanted, 1)).rows, ...rows];
  }
  const list = readyOf(pages.list)?.value;
  const currency = chosen ?? list?.rows[0]?.attributes.currency ?? mostOwed(currencies) ?? '';
  const selection = useSelection(currency, list, advocate);
  const [isPaying, setPaying] = useState(false);
  // Until the token is known, the table has the columns of most people.
  const mayPay = token === undefined || can('payouts');
  return (
    <>
      <Sums currencies={currencies} currency={currency} list={list} isFirst={pages.page === 1} />
      <section class="card" aria-label={PAYOUTS.toPay}>
        {!mayPay && <p class="soft">{PAYOUTS.readOnly}</p>}
        {mayPay && <SelectionBar selection={selection} currency={currency} onPay={() => setPaying(true)} />}
        <Paged pages={pages} lines={8}>
          {pages.rows.length === 0 && pages.page === 1 ? (
            <p class="empty">
              {PAYOUTS.nobodyOwed} <a href={hrefOf('developers', 'stripe')}>{PAYOUTS.connectPayments}</a>
            </p>
          ) : (
            <>
              <BalanceTable rows={pages.rows} currency={currency} selection={mayPay ? selection : undefined} />
              <Pager pages={pages} />
            </>
          )}
        </Paged>
      </section>
      {/* What is below appears once what is above has its size, so that nothing jumps. */}
      {pages.list.kind !== 'loading' && <History runs={runs} mayPay={mayPay} />}
      {pages.list.kind !== 'loading' && runs.loaded.kind !== 'loading' && <Statements />}
      {isPaying && (
        <PayoutDialog
          rows={[...selection.rows.values()]}
          taken={runs.names}
          onClose={(hasBegun) => {
            setPaying(false);
            if (!hasBegun) return;
            selection.clear();
            // What was sent without an answer may be recorded.
            refresh();
          }}
        />
      )}
    </>
  );
}

const mostOwed = (currencies: Currencies) => currencies.toSorted((one, other) => other.owed - one.owed)[0]?.currency;

interface SumsProps {
  readonly currencies: Currencies;
  readonly currency: string;
  readonly list: BalancePage | undefined;
  readonly isFirst: boolean;
}

/** What is due, on hold and overpaid now, and what was paid in the last 12 months. */
function Sums({ currencies, currency, list, isFirst }: SumsProps) {
  const [loaded] = useLoaded(async (signal) => {
    const now = Date.now();
    const query = { from: `${monthsBack(now, 11)}-01`, to: dayOf(now), group_by: 'month' } as const;
    return (await api.send('get', '/v2/statistics', { query, signal })).body.data.attributes.total.money;
  }, []);
  const sums = currencies.find((each) => each.currency === currency);
  const money = readyOf(loaded)?.value;
  const settled = money?.find((each) => each.currency === currency)?.settled;
  const known = (amount = 0) => (list ? amount : undefined);
  const hasOverpaid = currencies.some(({ overpaid }) => overpaid > 0);
  // Only all rows know it. Until they are read, their sums have a place.
  const sumOf = (name: 'payable' | 'waiting') =>
    list?.rows.reduce((sum, { attributes }) => sum + Math.max(0, attributes[name]), 0);
  const parts =
    isFirst && list?.next === undefined
      ? [[PAYOUTS.due, sumOf('payable')] as const, [PAYOUTS.onHold, sumOf('waiting')] as const]
      : [];
  const amounts = [
    ...parts,
    [PAYOUTS.owed, known(sums?.owed)],
    ...(hasOverpaid ? [[PAYOUTS.overpaid, known(sums?.overpaid)] as const] : []),
    [PAYOUTS.paid, money && known(settled), PAYOUTS.lastMonths],
  ] as const;
  const others = currencies.filter((each) => each.currency !== currency && each.owed > 0);
  const codes = [...new Set([...currencies.map((each) => each.currency), currency])];
  return (
    <div class="payout-sums">
      {amounts.map(([name, amount, note]) => (
        <Stat
          key={name}
          name={name}
          value={amount === undefined ? COMMON.unknown : currency ? formatMoney(amount, currency) : COMMON.noAmount}
          notes={note ? [note] : []}
        />
      ))}
      <CurrencyField value={currency} codes={codes} onChange={(code) => replaceFilters({ currency: code })} />
      {others.length > 0 && (
        <p class="soft">
          {COMMON.otherCurrencies(others.map((each) => formatMoney(each.owed, each.currency)).join(', '))}
        </p>
      )}
    </div>
  );
}
