import type { Schemas } from '../../kit/api.ts';
import { formatDateAndTime, formatMoney } from '../../kit/format.ts';
import { readyOf, useLoaded } from '../../kit/loaded.ts';
import { Skeleton } from '../../kit/when-ready.tsx';
import * as START from '../../words/dashboard/start.ts';
import { type Advocate, referenceOf } from '../developers/reference.ts';
import { ServerCode } from '../developers/server-code.tsx';
import { Stripe } from '../developers/stripe.tsx';
import { api } from '../service.ts';
import { Check } from './check.tsx';

type Referral = Schemas['ReferralWithMoney'];

const customerOf = ({ id, attributes: { email, uid } }: Referral) => email ?? uid ?? id;

interface SignUpStepProps {
  readonly advocate: Advocate | undefined;
  readonly onFound: () => void;
}

/** Programs that report a sign-up, as they are. The first customer that arrives ends the check. */
export function SignUpStep({ advocate, onFound }: SignUpStepProps) {
  const [reference] = useLoaded((signal) => referenceOf(advocate, signal), [advocate?.id]);
  const signUp = readyOf(reference)?.value;
  return (
    <div class="form">
      <p>{advocate ? START.signUpAdvice : START.needsAdvocate}</p>
      {signUp ? <ServerCode event={{ signUp }} /> : <Skeleton lines={1} height={31} />}
      <Check
        name={START.signUpCheck}
        waiting={START.signUpWaiting}
        read={async (signal) =>
          (await api.send('get', '/v2/referrals', { query: { per_page: 1 }, signal })).body.data[0]
        }
        onFound={onFound}
        sentenceOf={(referral) => {
          const { affiliate_slug, created_at } = referral.attributes;
          return START.signUpFound(customerOf(referral), affiliate_slug, formatDateAndTime(created_at));
        }}
      />
    </div>
  );
}

interface PaymentStepProps {
  readonly onStripe: () => void;
  readonly onFound: () => void;
}

/** Stripe, or programs that report a payment of the same customer. */
export function PaymentStep({ onStripe, onFound }: PaymentStepProps) {
  return (
    <div class="form">
      <ServerCode
        event={{ payment: { currency: 'eur' } }}
        advice={START.paymentAdvice}
        stripe={<Stripe onChanged={onStripe} />}
      />
      <Check
        name={START.paymentCheck}
        waiting={START.paymentWaiting}
        read={async (signal) => {
          const query = { state_eq: 'paid', per_page: 1 } as const;
          return (await api.send('get', '/v2/referrals', { query, signal })).body.data[0];
        }}
        onFound={onFound}
        sentenceOf={paymentSentence}
      />
    </div>
  );
}

function paymentSentence(referral: Referral): string {
  const { affiliate_slug, money } = referral.attributes;
  const sums = (of: 'revenue' | 'commission') => money.map((each) => formatMoney(each[of], each.currency)).join(', ');
  return START.paymentFound(customerOf(referral), sums('revenue') || '–', affiliate_slug, sums('commission') || '–');
}
