import { applicantName } from '../../kit/applicant.ts';
import { Card } from '../../kit/card.tsx';
import { formatMoney } from '../../kit/format.ts';
import { Skeleton } from '../../kit/when-ready.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/account.ts';
import { type Affiliate, session, signInPage } from '../service.ts';
import { Terms, useCommission } from '../terms.tsx';
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
  const terms = <OwnTerms about={about} />;
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

function OwnTerms({ about }: { readonly about: Affiliate }) {
  const commission = useCommission(about);
  const { minimum_payout: amounts, payout_day: payoutDay } = about.program;
  const minimum = Object.entries(amounts)
    .map(([currency, amount]) => formatMoney(amount, currency))
    .join(', ');
  const terms = [
    [WORDS.commission, commission === null ? WORDS.noRate : (commission ?? COMMON.unknown)],
    [WORDS.attribution, WORDS.attributionDays(about.attribution_days)],
    [WORDS.hold, WORDS.holdDays(about.payable_after_days)],
    [WORDS.minimum, minimum],
    [WORDS.payoutDay, payoutDay && WORDS.payoutDayOf(payoutDay)],
  ] as const;
  return (
    <>
      {!session.isSignIn && (
        <Card title={WORDS.you} advice={WORDS.keptBy(about.program.name)}>
          <Terms
            terms={[
              [WORDS.name, applicantName(about)],
              [WORDS.payoutAccount, payoutAccountOf(about) ?? COMMON.noAmount],
            ]}
          />
        </Card>
      )}
      <Card title={WORDS.terms}>
        <Terms terms={terms} />
      </Card>
    </>
  );
}
