import { hasTerms } from '../../kernel/accounts/rules/terms.ts';
import type { Seconds } from '../../kernel/time.ts';
import type { Entry } from '../../ledger/rules/entry-fields.ts';
import { isErased, type Referral } from '../../referrals/rules/referral.ts';
import type { Refusal, RefusalOutcome } from '../../referrals/rules/refusal.ts';

/** What a question can identify a customer by. */
export const IDENTIFIERS = ['email', 'uid', 'id', 'gr_id', 'code', 'payment_id'] as const;

/** The question why a customer is credited, or not. */
export interface Question {
  readonly by: (typeof IDENTIFIERS)[number];
  /** In the form that is stored; of a `gr_id` the id of the click. */
  readonly value: string;
  /** The advocate who should be credited; `null` if the question is about any. */
  readonly slug: string | null;
}

/** Everything that is known about a question. */
export interface Facts {
  readonly question: Question;
  /** The promotion code in question. */
  readonly code: { readonly slug: string; readonly active: boolean; readonly hasActiveAdvocate: boolean } | undefined;
  /** The customer's referral, or a click. */
  readonly referral: Referral | undefined;
  /** The payment that the question is about, or else the newest payment of the referral. */
  readonly payment: Entry | undefined;
  /** The newest entries of the referral. */
  readonly entries: readonly Entry[];
  readonly refusals: readonly Refusal[];
  /** When the attribution window of the click ends; `null` if no click is known. */
  readonly clickEnd: number | null;
  readonly now: Seconds;
}

interface Rule {
  readonly verdict: string;
  /** What is needed, in one sentence. */
  readonly advice: string;
  readonly holds: (facts: Facts) => boolean;
}

/** All verdicts with their advice, which docs/explain.md prints. The verdict is the first of them that holds. */
export const RULES = [
  {
    verdict: 'erased',
    advice: 'The person was erased, which cannot be undone: a new conversion creates a new referral.',
    // An email or a uid no longer leads to the referral.
    holds: ({ question: { by }, referral }) =>
      by !== 'email' && by !== 'uid' && referral !== undefined && isErased(referral),
  },
  {
    verdict: 'other_advocate',
    advice: 'The customer or the code belongs to the advocate in `affiliate_slug`: move the referral if that is wrong.',
    holds: (facts) => {
      const { slug } = facts.question;
      return slug !== null && isCredited(facts) && creditedSlug(facts) !== slug;
    },
  },
  {
    verdict: 'rejected',
    advice:
      'The referral is or was rejected: set a converted one back to `converted`, and correct the balance by an adjustment.',
    holds: ({ referral, payment }) => referral?.state === 'rejected' || payment?.note === 'rejected',
  },
  {
    verdict: 'ended',
    advice: 'The commission of the referral has ended: if it should go on, correct the balance by an adjustment.',
    holds: (facts) => {
      const end = facts.referral?.commissionEndDate ?? null;
      return (
        facts.payment?.note === 'ended' || (facts.question.by !== 'payment_id' && end !== null && end <= facts.now)
      );
    },
  },
  {
    verdict: 'no_rate',
    advice: 'The referral has no rate: set one for new customers, and correct the balance by an adjustment.',
    holds: (facts) =>
      facts.payment?.note === 'no_rate' ||
      (hasNotPaid(facts) && isCustomer(facts) && facts.referral !== undefined && !hasTerms(facts.referral)),
  },
  {
    verdict: 'no_rule',
    advice:
      'No commission rule of the referral matches the payment: if it should pay, correct the balance by an adjustment.',
    holds: ({ payment }) => payment?.note === 'no_rule',
  },
  {
    verdict: 'credited',
    advice: 'Nothing is needed: the advocate in `affiliate_slug` is credited.',
    holds: (facts) => isCredited(facts),
  },
  {
    verdict: 'mismatched_customer',
    advice:
      "The email of Stripe's event belongs to a customer with another `uid` or Stripe customer: send the customer's own `uid`.",
    holds: isRefused('mismatched_customer'),
  },
  {
    verdict: 'wrong_mode',
    advice:
      "Stripe's event is a test and the program is live, or the reverse: connect that mode of Stripe to a program of its mode.",
    holds: isRefused('wrong_mode'),
  },
  {
    verdict: 'inactive_advocate',
    advice:
      'The advocate is deactivated or was erased: activate it or choose another one, then report the conversion again.',
    holds: (facts) => isRefused('inactive_advocate')(facts) || (facts.code?.active === true && !isCredited(facts)),
  },
  {
    verdict: 'unknown_slug',
    advice: 'No advocate has the slug: correct the link or create the advocate, then report the conversion again.',
    holds: isRefused('unknown_slug'),
  },
  {
    verdict: 'code_unknown',
    advice:
      'No advocate has the promotion code, or it is inactive: create or activate it, then report the conversion again.',
    holds: (facts) => facts.question.by === 'code' || isRefused('code_unknown')(facts),
  },
  {
    verdict: 'expired_click',
    advice: 'The attribution window of the click is over: report the conversion with `affiliate_slug` if it counts.',
    holds: ({ referral, clickEnd, now }) =>
      (referral?.convertedAt ?? null) === null && clickEnd !== null && clickEnd <= now,
  },
  {
    verdict: 'refused_field',
    advice: 'A field of the request was invalid or missing: correct it as its response says, then send it again.',
    holds: isRefused('refused_field'),
  },
  {
    verdict: 'not_converted',
    advice: 'No conversion was reported for the click: report it with this `gr_id` when the customer signs up.',
    holds: (facts) => facts.referral?.state === 'clicked' || isRefused('not_converted')(facts),
  },
  {
    verdict: 'no_reference',
    advice:
      'The request contained no reference to an advocate: send `gr_id`, `code` or `affiliate_slug` with the conversion.',
    holds: isRefused('no_reference'),
  },
  {
    verdict: 'not_seen',
    advice:
      'Nothing is recorded under this value in the last 30 days: check the value, and whether your server reports conversions.',
    holds: () => true,
  },
] as const satisfies readonly Rule[];

export type Verdict = (typeof RULES)[number]['verdict'];

/** The advocate who is credited: of the code or payment in question, or of the referral. */
export function creditedSlug({ question, code, referral, payment }: Omit<Facts, 'entries' | 'refusals' | 'now'>) {
  if (question.by === 'code') return code?.slug ?? null;
  return (question.by === 'payment_id' ? payment?.advocateSlug : undefined) ?? referral?.advocateSlug ?? null;
}

/** True if the customer is credited to somebody, or the code would be. */
function isCredited(facts: Facts): boolean {
  return isCustomer(facts) || (facts.code?.active === true && facts.code.hasActiveAdvocate);
}

/** True for a referral, imported or converted, but not for a click. */
function isCustomer({ referral }: Facts): boolean {
  return (
    referral !== undefined &&
    referral.state !== 'clicked' &&
    !(referral.state === 'rejected' && referral.convertedAt === null)
  );
}

/** True if the rate and the end of the commission decide, because no payment has. */
function hasNotPaid({ payment, entries }: Facts): boolean {
  return payment === undefined && entries.length === 0;
}

function isRefused(outcome: RefusalOutcome): (facts: Facts) => boolean {
  return ({ refusals }) => refusals.some((refusal) => refusal.outcome === outcome);
}
