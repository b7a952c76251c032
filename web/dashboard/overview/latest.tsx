import type { Schemas } from '../../kit/api-types.ts';
import { Card } from '../../kit/card.tsx';
import { formatDateAndTime } from '../../kit/format.ts';
import { type Loaded, useLoaded } from '../../kit/load.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { OVERVIEW } from '../../words/dashboard-overview.ts';
import { useDashboard } from '../context.ts';
import { Person, StateBadge } from '../referrals/columns.tsx';
import { hrefOf } from '../router.ts';

export type Referral = Schemas['Referral'];

/** The referrals that changed last. The checklist looks at them as well. */
export function useLatest(): [Loaded<readonly Referral[]>, () => void] {
  const { api } = useDashboard();
  return useLoaded(
    async (signal) => (await api.send('get', '/v2/referrals', { query: { per_page: 8 }, signal })).body.data,
    [],
  );
}

interface LatestProps {
  readonly latest: ReturnType<typeof useLatest>;
}

/** The latest changes, each with a link to the referral. */
export function Latest({ latest: [loaded, reload] }: LatestProps) {
  return (
    <Card title={OVERVIEW.latest} beside={<a href={hrefOf('referrals')}>{OVERVIEW.allReferrals}</a>}>
      <WhenReady loaded={loaded} onRetry={reload} skeleton={<Skeleton lines={8} height={2.25} />}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="empty">{OVERVIEW.noLatest}</p>
          ) : (
            <ul class="changes-list">
              {rows.map(({ id: referral, attributes }) => (
                <li key={referral}>
                  <a href={hrefOf('referrals', { id: referral })}>
                    <Person {...attributes} />
                  </a>
                  <StateBadge state={attributes.state} />
                  <span class="soft">
                    <bdi>{attributes.affiliate_slug}</bdi> · {formatDateAndTime(attributes.state_set_at)}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </WhenReady>
    </Card>
  );
}
