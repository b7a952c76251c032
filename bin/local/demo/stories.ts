import { DAY, type Seconds, seconds } from '../../../functions/kernel/time.ts';
import { ADVOCATE, APPLICATION, exampleReferrals, PROGRAM } from '../../../functions/openapi/records.ts';
import type { Application } from '../../../functions/people/rules/applications/application-fields.ts';
import { convertClick, newClick, type Referral } from '../../../functions/referrals/rules/referral.ts';
import { setState } from '../../../functions/referrals/rules/referral-changes.ts';
import { NOTHING_REPORTED } from '../../../functions/referrals/rules/referral-fields.ts';
import { BELOW_MINIMUM, dayStart, HANA, HISTORY_DAYS, type Player, shiftOf } from './cast.ts';
import { Chance } from './chance.ts';
import { type Paid, PLANS } from './history.ts';

// The part of the demo that is made by hand: what documents quote, and what waits for the merchant.

interface Story {
  readonly referral: Referral;
  readonly payments: readonly Paid[];
}

/** Builds the stories of a demo that is stored at `now`. All of them happened before its day. */
export function demoStories(now: Seconds, playerOf: (slug: string) => Player) {
  const { clicks, converted, paid, alsoPaid, churned } = exampleReferrals(shiftOf(now));
  const once = (referral: Referral): Story => ({ referral, payments: payments(referral.paidAt, 1, PLANS.Explorer) });
  const at = (daysAgo: number, hour: number) => seconds(dayStart(now, HISTORY_DAYS - daysAgo) + hour * 3600);
  const amara = playerOf(ADVOCATE.slug);
  const bjorn = playerOf('bjorn-sato');
  const vera = playerOf(BELOW_MINIMUM);
  const customers: Story[] = [
    once(converted),
    once(paid),
    once(alsoPaid),
    once(churned),
    // The link decided, and not the code of another advocate.
    once(signUp(amara, { email: 'otto.brandt@mail.example', number: 301, label: 'youtube', at: at(5, 8), lost: HANA })),
    // The advocate's own mailbox.
    once(signUp(bjorn, { email: 'bjorn-sato+beans@partners.example', number: 302, label: null, at: at(2, 16) })),
    belowMinimum(vera, at(95, 10)),
  ];
  return { clicks, customers };
}

/** A customer who has paid four times: too little for a payout. */
function belowMinimum(player: Player, at: Seconds): Story {
  const converted = signUp(player, { email: 'carla.reyes@mail.example', number: 303, label: null, at });
  const firstAt = seconds(at + 3 * DAY);
  return {
    referral: setState(converted, 'paid', 'merchant', firstAt),
    payments: payments(firstAt, 4, PLANS.House),
  };
}

/** Payments every 30 days from the first one. */
function payments(first: Seconds | null, count: number, amount: number): Paid[] {
  if (first === null) return [];
  return Array.from({ length: count }, (_, month) => ({
    at: seconds(first + month * 30 * DAY),
    amount,
    refundedAt: null,
  }));
}

interface SignUp {
  readonly email: string;
  readonly number: number;
  readonly label: string | null;
  readonly at: Seconds;
  /** The advocate whose code the customer typed as well. */
  readonly lost?: string;
}

function signUp({ advocate, terms }: Player, { email, number, label, at, lost }: SignUp): Referral {
  const attributed = { target: advocate, terms };
  const id = new Chance(`customer ${number}`).idAt(at);
  return convertClick(newClick(PROGRAM, attributed, { id, subId: label }, at), {
    ...attributed,
    credit: { by: 'link', code: null, lost: lost ?? null },
    reported: { ...NOTHING_REPORTED, email, customerUid: `customer-${number}` },
    ...{ actor: 'merchant', idempotencyRecord: null, now: seconds(at + 300) },
  });
}

/** Builds the application that waits for the merchant. */
export function demoApplication(now: Seconds): Application {
  const createdAt = seconds(APPLICATION.createdAt + shiftOf(now));
  return { ...APPLICATION, createdAt, confirmedAt: createdAt };
}
