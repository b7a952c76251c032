import { Card } from '../../kit/controls.tsx';
import { formatMoney } from '../../kit/format.ts';
import { Skeleton } from '../../kit/status.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/account.ts';
import { type Affiliate, session, signInPage } from '../service.ts';
import { useCommission } from '../terms.ts';
import type { ViewProps } from '../view.ts';
import { Emails, Names } from './parts.tsx';
import { Payout } from './payout.tsx';
import { payoutAccountOf } from './payout-account.ts';

/** Who I am, where my money goes, and what was agreed. */
export function Account({ about, onChanged }: ViewProps) {
  if (!about) {
    return (
      <Card title={WORDS.terms}>
        <Skeleton lines={6} height={2.25} />
      </Card>
    );
  }
  const terms = <Terms about={about} />;
  // Without a sign-in, the website around the page knows who changes what.
  if (!signInPage || !session.isSignIn) return terms;
  const props = { about, page: signInPage, onChanged };
  return (
    <div class="columns">
      <Names {...props} />
      <Payout {...props} />
      <Emails {...props} />
      {terms}
    </div>
  );
}

function Terms({ about }: { readonly about: Affiliate }) {
  const commission = useCommission(about);
  const { minimum_payout: amounts, payout_day: payoutDay } = about.program;
  const minimum = Object.entries(amounts)
    .map(([currency, amount]) => formatMoney(amount, currency))
    .join(', ');
  const name = [about.first_name, about.last_name].filter(Boolean).join(' ');
  const isOwn = session.isSignIn;
  const terms = [
    ...(isOwn || name === '' ? [] : [[WORDS.name, name]]),
    ...(isOwn ? [] : [[WORDS.payoutAccount, payoutAccountOf(about) ?? '–']]),
    [WORDS.commission, commission === null ? WORDS.noRate : (commission ?? COMMON.unknown)],
    [WORDS.attribution, WORDS.attributionDays(about.attribution_days)],
    [WORDS.hold, WORDS.holdDays(about.payable_after_days)],
    ...(minimum === '' ? [] : [[WORDS.minimum, minimum]]),
    ...(payoutDay === null ? [] : [[WORDS.payoutDay, WORDS.payoutDayOf(payoutDay)]]),
  ];
  return (
    <Card title={WORDS.terms}>
      <dl class="terms">
        {terms.map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
