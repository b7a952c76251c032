import { useId } from 'preact/hooks';
import type { Api } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import type { Schemas } from '../../kit/api-types.ts';
import { formatDate } from '../../kit/format.ts';
import { useLoaded } from '../../kit/load.ts';
import { Problem } from '../../kit/status.tsx';
import { OVERVIEW } from '../../words/dashboard-overview.ts';
import { useDashboard } from '../context.ts';
import { hrefOf } from '../router.ts';

type Webhook = Schemas['Webhook'];

const MONTH = 30 * 86_400_000;

/** Self-referrals of the last 30 days that are not rejected, and webhooks that are disabled or failing. */
export function Attention() {
  const id = useId();
  const { api } = useDashboard();
  const [flags, reloadFlags] = useLoaded((signal) => flagged(api, signal), []);
  const [webhooks, reloadWebhooks] = useLoaded((signal) => troubled(api, signal), []);
  const self = flags.kind === 'ready' ? flags.value : { count: 0, hasMore: false };
  const troubles = webhooks.kind === 'ready' ? webhooks.value : [];
  const problems = new Map(
    [flags, webhooks].flatMap((each) =>
      each.kind === 'failed' && each.error.status !== 0 ? [[each.error.message, each.error] as const] : [],
    ),
  );
  if (self.count === 0 && troubles.length === 0 && problems.size === 0) return null;
  return (
    <section class="card attention" aria-labelledby={id}>
      <h2 id={id}>{OVERVIEW.attention}</h2>
      <ul>
        {self.count > 0 && (
          <li>
            {OVERVIEW.selfReferrals(self.count, self.hasMore)}{' '}
            <a href={hrefOf('referrals', { flag: 'self_referral' })}>{OVERVIEW.review}</a>
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
            reloadWebhooks();
          }}
        />
      ))}
    </section>
  );
}

async function flagged(api: Api, signal: AbortSignal): Promise<{ count: number; hasMore: boolean }> {
  const query = {
    flag_eq: 'self_referral',
    state_set_at_gt: new Date(Date.now() - MONTH).toISOString(),
    per_page: 50,
  } as const;
  const { body, next } = await api.send('get', '/v2/referrals', { query, signal });
  const open = body.data.filter(({ attributes }) => attributes.state !== 'rejected');
  return { count: open.length, hasMore: next !== undefined };
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
