import type { ComponentChildren } from 'preact';
import type { Schemas } from '../../kit/api.ts';
import { Card } from '../../kit/card.tsx';
import { formatDate } from '../../kit/format.ts';
import { type Loaded, readyOf, useLoaded } from '../../kit/loaded.ts';
import * as OVERVIEW from '../../words/dashboard/overview.ts';
import { optional } from '../optional.ts';
import { hrefOf, useDashboard } from '../router.ts';
import { api } from '../service.ts';
import type { Balances } from './now.tsx';

/** A number of rows of one page, and whether there are others. */
interface Count {
  readonly count: number;
  readonly hasMore: boolean;
}

const NONE: Count = { count: 0, hasMore: false };
const MONTH = 30 * 86_400_000;

/**
 * Reads what needs attention. `hasEmails` is true if the deployment takes applications, and so sends emails. Webhooks are
 * read last, because the view sends at most 8 requests together.
 */
export function useAttention(balances: Loaded<Balances>) {
  const { can } = useDashboard();
  const [flags] = useLoaded(flagged, []);
  const [others] = useLoaded(async (signal) => {
    const applications = await optional(waiting(signal));
    return { applications, webhooks: await optional(troubled(signal)) };
  }, []);
  const { applications, webhooks = [] } = readyOf(others)?.value ?? {};
  const isLoading = [flags, others, balances].some(({ kind }) => kind === 'loading');
  const found = readyOf(balances)?.value;
  const missing = found?.data.filter(({ attributes }) => attributes.payable > 0 && !hasAccount(attributes)) ?? [];
  const lines: Line[] = [
    ...lineOf(OVERVIEW.applications, applications, OVERVIEW.review, hrefOf('applications')),
    ...lineOf(
      OVERVIEW.selfReferrals,
      readyOf(flags)?.value,
      OVERVIEW.review,
      hrefOf('referrals', undefined, { flag: 'self_referral' }),
    ),
    // Only this scope sees payout accounts.
    ...lineOf(
      OVERVIEW.missingAccounts,
      can('payouts') && found ? { count: missing.length, hasMore: hasOthers(found, missing.length) } : NONE,
      OVERVIEW.seePayouts,
      hrefOf('payouts'),
    ),
    ...webhooks.map(webhookLine),
  ];
  return { lines, isLoading, hasEmails: applications !== undefined };
}

interface Line {
  readonly key: string;
  readonly text: ComponentChildren;
  readonly action: string;
  readonly href: string;
}

function lineOf(
  sentence: (count: number, hasMore: boolean) => string,
  of: Count | undefined,
  action: string,
  href: string,
) {
  if (!of || (of.count === 0 && !of.hasMore)) return [];
  const text = sentence(of.count, of.hasMore);
  return [{ key: text, text, action, href }];
}

/** The rows are of one currency. Without anything found in it, the others are no reason for a line. */
const hasOthers = ({ hasMore, currencies }: Balances, found: number) => hasMore || (found > 0 && currencies.length > 1);

const hasAccount = ({ payout_method }: Schemas['Balance']['attributes']) => payout_method !== null;

function webhookLine({ id, attributes: { url, failing_since, enabled } }: Schemas['Webhook']): Line {
  const text =
    enabled && failing_since !== null
      ? OVERVIEW.webhookFailing(url, formatDate(failing_since))
      : OVERVIEW.webhookDisabled(url);
  return { key: id, text: <bdi>{text}</bdi>, action: OVERVIEW.openWebhooks, href: hrefOf('developers', 'webhooks') };
}

/** What needs a decision or a repair, a line each. */
export function Attention({ lines }: { readonly lines: readonly Line[] }) {
  if (lines.length === 0) return null;
  return (
    <Card title={OVERVIEW.attention} kind="attention">
      <ul>
        {lines.map(({ key, text, action, href }) => (
          <li key={key} class="status-line">
            <span>{text}</span> <a href={href}>{action}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

async function waiting(signal: AbortSignal): Promise<Count> {
  const { body, next } = await api.send('get', '/v2/applications', { query: { per_page: 50 }, signal });
  return { count: body.data.length, hasMore: next !== undefined };
}

/** Self-referrals of the last 30 days that are not rejected. */
async function flagged(signal: AbortSignal): Promise<Count> {
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
async function troubled(signal: AbortSignal): Promise<readonly Schemas['Webhook'][]> {
  const { body } = await api.send('get', '/v2/webhooks', { signal });
  return body.data.filter(({ attributes: { enabled, disabled_reason, failing_since } }) =>
    enabled ? failing_since !== null : disabled_reason !== 'merchant',
  );
}
