import { useState } from 'preact/hooks';
import type { Api, Schemas } from '../../kit/api.ts';
import { CopyButton } from '../../kit/controls.tsx';
import { monthsBack } from '../../kit/format.ts';
import { Numbers } from '../../kit/numbers.tsx';
import { linesOf } from '../../kit/statement-file.ts';
import { readyOf, Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { DashboardProvider, hrefOf, replaceFilters, useDashboard } from '../router.ts';
import { Details } from './details.tsx';
import { Entries } from './entries.tsx';
import { useGroups } from './groups.tsx';
import { fourInTurn } from './in-turn.ts';
import { LinksAndCodes } from './links.tsx';
import { Head } from './one-head.tsx';
import { Money } from './one-money.tsx';
import { OwnReferrals } from './own-referrals.tsx';

type Advocate = Schemas['Advocate'];

/** Of the size of the head. */
const HEAD = (
  <div class="one-place">
    <Skeleton lines={1} height={2.25} />
  </div>
);

interface OneAdvocateProps {
  readonly slug: string;
}

/** One advocate. Its parts send at most four requests together: the header may send another one. */
export function OneAdvocate(props: OneAdvocateProps) {
  const dashboard = useDashboard();
  const [api] = useState((): Api => {
    const inTurn = fourInTurn();
    return { ...dashboard.api, send: (...request) => inTurn(() => dashboard.api.send(...request)) };
  });
  return (
    <DashboardProvider value={{ ...dashboard, api }}>
      <Parts {...props} />
    </DashboardProvider>
  );
}

/** Its link, its money, its numbers, and everything else in tabs. */
function Parts({ slug }: OneAdvocateProps) {
  const { api, route } = useDashboard();
  const params = { slug };
  const [loaded, reload] = useLoaded(
    async (signal) => (await api.send('get', '/v2/advocates/{slug}', { params, signal })).body.data,
    [slug],
  );
  const [sums, reloadSums] = useLoaded(
    async (signal) => {
      const query = { affiliate_slug: slug, month: monthsBack(Date.now(), 0) };
      const { data } = (await api.send('get', '/v2/statements', { query, signal })).body;
      return [data].flat().flatMap(linesOf);
    },
    [slug],
  );
  const [paid, reloadPaid] = useLoaded(
    async (signal) => {
      const query = { affiliate_slug: slug, range: 'lifetime' } as const;
      const { data } = (await api.send('get', '/v2/statistics', { query, signal })).body;
      return data.attributes.total.money;
    },
    [slug],
  );
  const [version, setVersion] = useState(0);
  const advocate = readyOf(loaded)?.value;
  const hasEarned = readyOf(paid)?.value.every(({ commissions }) => commissions === 0) !== true;
  const groups = useGroups(advocate !== undefined && advocate.attributes.group !== null);
  const reloadMoney = () => {
    reloadSums();
    reloadPaid();
    // The entries are another list of the same money.
    setVersion(version + 1);
  };
  const tabs = (found: Advocate) => [
    { id: 'referrals', label: ADVOCATES.referrals, content: () => <OwnReferrals slug={slug} /> },
    { id: 'entries', label: ADVOCATES.entries, content: () => <Entries key={version} slug={slug} /> },
    { id: 'links', label: ADVOCATES.linksAndCodes, content: () => <LinksAndCodes advocate={found} /> },
    {
      id: 'details',
      label: ADVOCATES.detailsTab,
      content: () => <Details advocate={found} groups={groups} onChanged={reload} />,
    },
  ];
  return (
    <>
      <section class="card one-advocate" aria-label={COMMON.advocate}>
        <a class="back" href={hrefOf('advocates')}>
          {ADVOCATES.all}
        </a>
        <WhenReady loaded={loaded} skeleton={HEAD}>
          {(found) => <Head {...{ advocate: found, groups, hasEarned }} onChanged={reload} />}
        </WhenReady>
        <Money slug={slug} sums={sums} paid={paid} advocate={advocate} onChanged={reloadMoney} />
      </section>
      <Numbers
        measures={['revenue', 'earned', 'clicks', 'signUps', 'paying']}
        filters={route.filters}
        onFilters={replaceFilters}
        read={async (days, signal) => {
          const query = { ...days, affiliate_slug: slug };
          return (await api.send('get', '/v2/statistics', { query, signal })).body.data.attributes;
        }}
        nothingYet={
          <>
            {ADVOCATES.nothingYet}{' '}
            {advocate && <CopyButton text={advocate.attributes.referral_link} label={COMMON.copyLink} />}
          </>
        }
      />
      {advocate && (
        <section class="card">
          <Tabs
            label={ADVOCATES.about}
            tabs={tabs(advocate)}
            selected={route.filters['tab'] ?? 'referrals'}
            onSelect={(tab) => replaceFilters({ tab })}
          />
        </section>
      )}
    </>
  );
}
