import { type Api, ApiError, type Schemas } from '../../kit/api.ts';
import { Card } from '../../kit/controls.tsx';
import { queryOf } from '../../kit/format.ts';
import type { Day } from '../../kit/funnel.tsx';
import { type Loaded, useLoaded } from '../../kit/status.tsx';
import { OVERVIEW } from '../../words/dashboard-overview.ts';
import { hrefOf, SETTINGS, useDashboard } from '../router.ts';

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
    rate: program.attributes.commission_percentage !== null,
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
