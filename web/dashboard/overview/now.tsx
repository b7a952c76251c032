import type { Schemas } from '../../kit/api.ts';
import { Card } from '../../kit/controls.tsx';
import { formatMoney } from '../../kit/format.ts';
import { type Loaded, Skeleton, WhenReady } from '../../kit/status.tsx';
import * as OVERVIEW from '../../words/dashboard/overview.ts';
import { hrefOf } from '../router.ts';

type Currency = Schemas['BalanceList']['meta']['currencies'][number];

/** What the merchant owes at present, by currency. */
export function Now({ balances }: { readonly balances: Loaded<{ readonly currencies: readonly Currency[] }> }) {
  return (
    <Card
      title={OVERVIEW.now}
      kind="now"
      beside={
        <a class="button primary" href={hrefOf('payouts')}>
          {OVERVIEW.payOut}
        </a>
      }
    >
      <WhenReady loaded={balances} skeleton={<Skeleton lines={1} height={3.5} />}>
        {({ currencies }) => <Owed currencies={currencies.filter(({ owed }) => owed > 0)} />}
      </WhenReady>
    </Card>
  );
}

function Owed({ currencies }: { readonly currencies: readonly Currency[] }) {
  const amounts = currencies.map(({ currency, owed }) => formatMoney(owed, currency));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div class="stat" role="group" aria-label={OVERVIEW.owed}>
      <p class="stat-name">{OVERVIEW.owed}</p>
      {(amounts.length === 0 ? [OVERVIEW.nothingOwed] : amounts).map((amount) => (
        <p key={amount} class="stat-value">
          {amount}
        </p>
      ))}
      <p class="stat-note">{OVERVIEW.owedNote}</p>
    </div>
  );
}
