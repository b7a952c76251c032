import { useId } from 'preact/hooks';
import { Card } from '../kit/card.tsx';
import { Development, Funnel } from '../kit/funnel.tsx';
import { readyOf, useLoaded } from '../kit/load.ts';
import { formatMoney } from '../kit/money.ts';
import { RangePicker } from '../kit/range.tsx';
import { queryOf, type Range } from '../kit/ranges.ts';
import { Skeleton, WhenReady } from '../kit/status.tsx';
import { PORTAL } from '../words/portal.ts';
import { api } from './service.ts';
import { type LoadedStatements, moneyTotals } from './statements.tsx';

interface OverviewProps {
  readonly range: Range;
  readonly onRange: (range: Range) => void;
  readonly statements: LoadedStatements;
}

/** How am I doing? The funnel of the range, the money, and the chart. */
export function Overview({ range, onRange, statements }: OverviewProps) {
  const [statistics, reload] = useLoaded(
    async (signal) => {
      const query = queryOf(range, Date.now());
      return (await api.send('get', '/v2/affiliate/statistics', { query, signal })).body.data.attributes.groups;
    },
    [range],
  );
  // The funnel says what failed.
  const charted = statistics.kind === 'failed' ? statistics.last : statistics;
  return (
    <Card title={PORTAL.overview} beside={<RangePicker range={range} onChange={onRange} />} kind="overview">
      <div class="funnel">
        <WhenReady loaded={statistics} onRetry={reload} skeleton={<Skeleton lines={1} height={4.25} />}>
          {(groups) => <Funnel range={range} groups={groups} />}
        </WhenReady>
      </div>
      <Money statements={statements} />
      {charted && (
        <WhenReady loaded={charted} onRetry={reload} skeleton={<Skeleton lines={1} height={17} />}>
          {(groups) => <Development range={range} groups={groups} nothingYet={PORTAL.nothingYet} />}
        </WhenReady>
      )}
    </Card>
  );
}

/** Money of each currency that the statements name; nothing if there is none. */
function Money({ statements: [loaded, reload] }: { readonly statements: LoadedStatements }) {
  // The list of statements says what failed.
  if (loaded.kind === 'failed' && !readyOf(loaded)) return null;
  return (
    <WhenReady loaded={loaded} onRetry={reload} skeleton={<Skeleton lines={1} height={5.5} />}>
      {(statements) => {
        const totals = moneyTotals(statements);
        if (totals.length === 0) return null;
        const of = (key: 'earned' | 'balance' | 'payable') =>
          totals.map(({ currency, [key]: amount }) => formatMoney(amount, currency));
        return (
          <div class="stats money">
            <MoneyNumber name={PORTAL.earned} values={of('earned')} note={PORTAL.thisMonth} />
            <MoneyNumber
              name={PORTAL.balance}
              values={of('balance')}
              note={noteOf(
                totals.map(({ balance }) => balance),
                PORTAL.notPaidOut,
              )}
            />
            <MoneyNumber
              name={PORTAL.payable}
              values={of('payable')}
              note={noteOf(
                totals.map(({ payable }) => payable),
                PORTAL.nextPayout,
              )}
            />
          </div>
        );
      }}
    </WhenReady>
  );
}

/** After a refund or a payout of more than was payable, an amount can be negative: nobody pays it out. */
const noteOf = (amounts: readonly number[], note: string) =>
  amounts.some((amount) => amount < 0) ? PORTAL.setOff : note;

interface MoneyNumberProps {
  readonly name: string;
  readonly values: readonly string[];
  readonly note: string;
}

function MoneyNumber({ name, values, note }: MoneyNumberProps) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div class="stat" role="group" aria-labelledby={id}>
      <p class="stat-name" id={id}>
        {name}
      </p>
      {values.map((value) => (
        <p key={value} class="stat-value">
          {value}
        </p>
      ))}
      <p class="stat-note">{note}</p>
    </div>
  );
}
