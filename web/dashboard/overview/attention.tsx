import type { Api, Schemas } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import { Card } from '../../kit/controls.tsx';
import { formatDate, queryOf } from '../../kit/format.ts';
import type { Day } from '../../kit/funnel.tsx';
import { hasTerms } from '../../kit/rules.ts';
import { type Loaded, Problem, useLoaded } from '../../kit/status.tsx';
import { OVERVIEW } from '../../words/dashboard.ts';
import { hrefOf, SETTINGS, useDashboard } from '../router.ts';

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
  const count = body.data.filter(
    ({ attributes }) => attributes.commission_percentage === null && attributes.commission_rules_id === null,
  ).length;
  return { count, hasMore: count > 0 && next !== undefined };
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

type Step = keyof typeof OVERVIEW.steps;
type Done = Readonly<Record<Step, boolean>>;

const STEPS: readonly (readonly [Step, string])[] = [
  ['rate', SETTINGS],
  ['advocate', hrefOf('advocates')],
  ['click', hrefOf('developers')],
  ['conversion', hrefOf('referrals')],
  ['payments', hrefOf('developers')],
];

interface ChecklistProps {
  readonly statistics: Loaded<readonly Day[]>;
  readonly latest: Loaded<readonly Schemas['Referral'][]>;
}

/** The steps of a new program. It disappears when all are done. Most programs need no request for it. */
export function Checklist({ statistics, latest }: ChecklistProps) {
  const { program } = useDashboard();
  if (statistics.kind !== 'ready' || latest.kind !== 'ready' || !program) return null;
  const seen: Done = {
    rate: hasTerms(program.attributes),
    advocate: latest.value.length > 0,
    click: statistics.value.some(({ clicks }) => clicks > 0),
    conversion: latest.value.length > 0,
    // A referral that was paid may have churned since then.
    payments:
      latest.value.some(({ attributes: { state } }) => state === 'paid') ||
      statistics.value.some(({ paying }) => paying > 0),
  };
  return STEPS.every(([step]) => seen[step]) ? null : <Rest seen={seen} />;
}

function Rest({ seen }: { readonly seen: Done }) {
  const { api } = useDashboard();
  const [loaded] = useLoaded((signal) => read(api, seen, signal), [seen]);
  if (loaded.kind !== 'ready' || STEPS.every(([step]) => loaded.value[step])) return null;
  return (
    <Card title={OVERVIEW.checklist} advice={OVERVIEW.checklistAdvice}>
      <ol class="checklist">
        {STEPS.map(([step, href]) => {
          const [title, advice] = OVERVIEW.steps[step];
          const isDone = loaded.value[step];
          return (
            <li key={step} class={isDone ? 'done' : ''}>
              <span class="hidden">{isDone ? OVERVIEW.done : OVERVIEW.open}</span> <a href={href}>{title}</a>
              <span class="soft">{advice}</span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

/** Asks only for what the page does not know yet. */
async function read(api: Api, seen: Done, signal: AbortSignal): Promise<Done> {
  const [advocate, year, payments] = await Promise.all([
    seen.advocate || hasAdvocate(api, signal),
    seen.click && seen.payments ? undefined : totalOfYear(api, signal),
    seen.payments || hasPayments(api, signal),
  ]);
  const { clicks = 0, paying = 0 } = year ?? {};
  return { ...seen, advocate, click: seen.click || clicks > 0, payments: payments || paying > 0 };
}

async function hasAdvocate(api: Api, signal: AbortSignal): Promise<boolean> {
  return (await api.send('get', '/v2/advocates', { query: { per_page: 1 }, signal })).body.data.length > 0;
}

async function totalOfYear(api: Api, signal: AbortSignal) {
  const query = queryOf('12m', Date.now());
  return (await api.send('get', '/v2/statistics', { query, signal })).body.data.attributes.total;
}

async function hasPayments(api: Api, signal: AbortSignal): Promise<boolean> {
  const [paid, secrets] = await Promise.all([
    api.send('get', '/v2/referrals', { query: { state_eq: 'paid', per_page: 1 }, signal }),
    api.send('get', '/v2/integrations/stripe', { signal }).then(
      ({ body }) => body.data.attributes.secrets,
      (error: unknown) => {
        // A deployment without events has no connection to Stripe.
        if (error instanceof ApiError && error.status === 404) return 0;
        throw error;
      },
    ),
  ]);
  return secrets > 0 || paid.body.data.length > 0;
}
