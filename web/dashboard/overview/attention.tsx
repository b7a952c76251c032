import { type Api, ApiError, type Schemas } from '../../kit/api.ts';
import { Card } from '../../kit/controls.tsx';
import { formatDate } from '../../kit/format.ts';
import { Problem, useLoaded } from '../../kit/status.tsx';
import { OVERVIEW } from '../../words/dashboard-overview.ts';
import { hrefOf, useDashboard } from '../router.ts';

type Webhook = Schemas['Webhook'];

const MONTH = 30 * 86_400_000;

/**
 * Self-referrals of the last 30 days that are not rejected, paying customers whose referrals have no rate, and webhooks
 * that are disabled or failing.
 */
export function Attention() {
  const { api } = useDashboard();
  const [flags, reloadFlags] = useLoaded((signal) => flagged(api, signal), []);
  const [rates, reloadRates] = useLoaded((signal) => withoutRate(api, signal), []);
  const [webhooks, reloadWebhooks] = useLoaded((signal) => troubled(api, signal), []);
  const self = flags.kind === 'ready' ? flags.value : { count: 0, hasMore: false };
  const unrated = rates.kind === 'ready' ? rates.value : { count: 0, hasMore: false };
  const troubles = webhooks.kind === 'ready' ? webhooks.value : [];
  const problems = new Map(
    [flags, rates, webhooks].flatMap((each) =>
      each.kind === 'failed' && each.error.status !== 0 ? [[each.error.message, each.error] as const] : [],
    ),
  );
  if (self.count === 0 && unrated.count === 0 && troubles.length === 0 && problems.size === 0) return null;
  return (
    <Card title={OVERVIEW.attention} kind="attention">
      <ul>
        {self.count > 0 && (
          <li>
            {OVERVIEW.selfReferrals(self.count, self.hasMore)}{' '}
            <a href={hrefOf('referrals', { flag: 'self_referral' })}>{OVERVIEW.review}</a>
          </li>
        )}
        {unrated.count > 0 && (
          <li>
            {OVERVIEW.withoutRate(unrated.count, unrated.hasMore)}{' '}
            <a href={hrefOf('referrals', { state: 'paid' })}>{OVERVIEW.review}</a>
          </li>
        )}
        {troubles.map(({ id: webhook, attributes: { url, failing_since, enabled } }) => (
          <li key={webhook}>
            {enabled && failing_since !== null
              ? OVERVIEW.webhookFailing(url, formatDate(failing_since))
              : OVERVIEW.webhookDisabled(url)}{' '}
            <a href={hrefOf('developers')}>{OVERVIEW.openWebhooks}</a>
          </li>
        ))}
      </ul>
      {[...problems].map(([message, error]) => (
        <Problem
          key={message}
          error={error}
          onRetry={() => {
            reloadFlags();
            reloadRates();
            reloadWebhooks();
          }}
        />
      ))}
    </Card>
  );
}

interface Found {
  readonly count: number;
  readonly hasMore: boolean;
}

async function flagged(api: Api, signal: AbortSignal): Promise<Found> {
  const query = {
    flag_eq: 'self_referral',
    state_set_at_gt: new Date(Date.now() - MONTH).toISOString(),
    per_page: 50,
  } as const;
  const { body, next } = await api.send('get', '/v2/referrals', { query, signal });
  const open = body.data.filter(({ attributes }) => attributes.state !== 'rejected');
  return { count: open.length, hasMore: next !== undefined };
}

/** Looks at the 50 paying customers whose referrals changed last. */
async function withoutRate(api: Api, signal: AbortSignal): Promise<Found> {
  const query = { state_eq: 'paid', per_page: 50 } as const;
  const { body, next } = await api.send('get', '/v2/referrals', { query, signal });
  const unrated = body.data.filter(({ attributes }) => attributes.commission_percentage === null);
  return { count: unrated.length, hasMore: unrated.length > 0 && next !== undefined };
}

/** A webhook that the merchant disabled needs nothing. */
async function troubled(api: Api, signal: AbortSignal): Promise<readonly Webhook[]> {
  try {
    const { body } = await api.send('get', '/v2/webhooks', { signal });
    return body.data.filter(({ attributes: { enabled, disabled_reason, failing_since } }) =>
      enabled ? failing_since !== null : disabled_reason !== 'merchant',
    );
  } catch (error) {
    // A deployment without events has no webhooks.
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}
