import type { Schemas } from '../../kit/api.ts';
import { formatMoney } from '../../kit/format.ts';
import type { Loaded } from '../../kit/loaded.ts';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as COMMON from '../../words/common.ts';
import * as OVERVIEW from '../../words/dashboard/overview.ts';
import { hrefOf, useDashboard } from '../router.ts';
import { Stat } from '../stat.tsx';

/** The first page of the balances in the currency with the most owed, and the totals of all currencies. */
export interface Balances {
  readonly data: readonly Schemas['Balance'][];
  readonly currencies: Schemas['BalanceList']['meta']['currencies'];
  readonly hasMore: boolean;
}

/** What the merchant owes at present. */
export function Now({ balances }: { readonly balances: Loaded<Balances> }) {
  return (
    <section class="card now" aria-label={OVERVIEW.now}>
      <WhenReady loaded={balances} skeleton={<Skeleton lines={1} height={5.625} />}>
        {(read) => <Owed {...read} />}
      </WhenReady>
    </section>
  );
}

function Owed(balances: Balances) {
  const { can } = useDashboard();
  const [first, ...others] = balances.currencies.filter(({ owed }) => owed > 0).sort((a, b) => b.owed - a.owed);
  const also = others.map(({ currency, owed }) => formatMoney(owed, currency)).join(', ');
  const notes = first ? (also ? [OVERVIEW.owedNote, COMMON.otherCurrencies(also)] : notesOf(first, balances)) : [];
  return (
    <>
      {first && can('payouts') && (
        <a class="button primary" href={hrefOf('payouts')}>
          {OVERVIEW.payOut}
        </a>
      )}
      <Stat
        name={OVERVIEW.owed}
        value={first ? formatMoney(first.owed, first.currency) : OVERVIEW.nothingOwed}
        notes={notes}
      />
    </>
  );
}

/** How much of it is due. Only the rows know that: there may be more of them, or newer ones than the total. */
function notesOf({ currency, owed }: Balances['currencies'][number], { data, hasMore }: Balances): readonly string[] {
  const sumOf = (name: 'balance' | 'payable') =>
    data.reduce((sum, { attributes }) => sum + Math.max(0, attributes[name]), 0);
  const due = sumOf('payable');
  if (hasMore || sumOf('balance') !== owed) return [OVERVIEW.owedNote];
  return [
    ...(due > 0 ? [OVERVIEW.dueNow(formatMoney(due, currency))] : []),
    ...(due < owed ? [OVERVIEW.onHold(formatMoney(owed - due, currency))] : []),
  ];
}
