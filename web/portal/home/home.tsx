import { Button } from '../../kit/button.tsx';
import { dayOf } from '../../kit/days.ts';
import { readyOf, useLoaded } from '../../kit/loaded.ts';
import { Numbers } from '../../kit/numbers.tsx';
import { Skeleton } from '../../kit/when-ready.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/home.ts';
import { hrefOf, replaceFilters, useRoute } from '../router.ts';
import { api } from '../service.ts';
import type { ViewProps } from '../view.ts';
import { amountsOf } from './amounts.ts';
import { FirstSteps } from './first-steps.tsx';
import { BestLinks, LatestReferrals } from './latest.tsx';
import { LinkCard } from './link-card.tsx';
import { Money } from './money.tsx';

const YEAR = { range: '12m', from: undefined, to: undefined, by: undefined };
const MEASURES = ['earned', 'clicks', 'signUps', 'paying'] as const;

/** What to share, what comes next, and how it went. */
export function Home({ about }: ViewProps) {
  const { filters } = useRoute();
  const [totals] = useLoaded(async (signal) => {
    const query = { range: 'lifetime' } as const;
    return (await api.send('get', '/v2/affiliate/statistics', { query, signal })).body.data.attributes.total;
  }, []);
  const [statement] = useLoaded(async (signal) => {
    const query = { month: dayOf(Date.now()).slice(0, 7) };
    const { data } = (await api.send('get', '/v2/affiliate/statements', { query, signal })).body;
    return [data].flat().flatMap(({ attributes }) => attributes.currencies);
  }, []);
  const [total, sums] = [readyOf(totals)?.value, readyOf(statement)?.value];
  const isKnown = total !== undefined && sums !== undefined;
  const amounts = isKnown ? amountsOf(sums, total) : undefined;
  const isNew = amounts?.length === 0 && total?.clicks === 0 && total.conversions === 0;
  if (isNew && about) return <FirstSteps about={about} />;
  return (
    <>
      <LinkCard about={about} />
      <Money about={about} amounts={amounts} />
      <Numbers
        measures={MEASURES}
        filters={filters}
        onFilters={replaceFilters}
        read={async (query, signal) =>
          (await api.send('get', '/v2/affiliate/statistics', { query, signal })).body.data.attributes
        }
        nothingYet={
          <>
            {WORDS.nothingYet}{' '}
            {filters['range'] === '12m' ? (
              <a href={hrefOf('links')}>{WORDS.share}</a>
            ) : (
              <Button label={COMMON.showYear} kind="link" onClick={() => replaceFilters(YEAR)} />
            )}
          </>
        }
      />
      {/* After the numbers: at most five requests run together. */}
      <div class="columns">
        {isKnown ? (
          <>
            <BestLinks />
            <LatestReferrals />
          </>
        ) : (
          [1, 2].map((each) => (
            <section key={each} class="card">
              <Skeleton lines={6} height={2.5} />
            </section>
          ))
        )}
      </div>
    </>
  );
}
