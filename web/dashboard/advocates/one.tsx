import { useState } from 'preact/hooks';
import type { Schemas } from '../../kit/api.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import { monthsBack } from '../../kit/format.ts';
import { readyOf, useLoaded } from '../../kit/loaded.ts';
import { Numbers } from '../../kit/numbers.tsx';
import { linesOf } from '../../kit/statement-file.ts';
import { Tabs } from '../../kit/tabs.tsx';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { replaceFilters, useDashboard } from '../router.ts';
import { BackLink } from './back.tsx';
import { Details } from './details.tsx';
import { Entries } from './entries.tsx';
import { fourApi } from './four-api.ts';
import { useGroups } from './groups.tsx';
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

/** One advocate: its link, its money, its numbers, and everything else in tabs. */
export function OneAdvocate({ slug }: OneAdvocateProps) {
  const { route } = useDashboard();
  const params = { slug };
  const [loaded, reload] = useLoaded(
    async (signal) => (await fourApi.send('get', '/v2/advocates/{slug}', { params, signal })).body.data,
    [slug],
  );
  const [sums, reloadSums] = useLoaded(
    async (signal) => {
      const query = { affiliate_slug: slug, month: monthsBack(Date.now(), 0) };
      const { data } = (await fourApi.send('get', '/v2/statements', { query, signal })).body;
      return [data].flat().flatMap(linesOf);
    },
    [slug],
  );
  const [paid, reloadPaid] = useLoaded(
    async (signal) => {
      const query = { affiliate_slug: slug, range: 'lifetime' } as const;
      const { data } = (await fourApi.send('get', '/v2/statistics', { query, signal })).body;
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
        <BackLink />
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
          return (await fourApi.send('get', '/v2/statistics', { query, signal })).body.data.attributes;
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
