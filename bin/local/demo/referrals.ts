import { DAY, type Seconds } from '../../../functions/kernel/time.ts';
import { PROGRAM } from '../../../functions/openapi/records.ts';
import {
  type ConversionFields,
  convertClick,
  newClick,
  newReferral,
  type Referral,
} from '../../../functions/referrals/rules/referral.ts';
import { setState } from '../../../functions/referrals/rules/referral-changes.ts';
import { NOTHING_REPORTED } from '../../../functions/referrals/rules/referral-fields.ts';
import { demoCast, type Player } from './cast.ts';
import { Chance } from './chance.ts';
import { type Customer, demoHistory, type Paid, type Visit } from './history.ts';
import { demoStories } from './stories.ts';

/** A customer as the service has it. */
export interface StoredCustomer {
  readonly referral: Referral;
  readonly payments: readonly Paid[];
}

/** Everything that the visitors of the shop have done. */
export interface Traffic {
  /** The clicks that still could convert. */
  readonly clicks: readonly Referral[];
  /** The clicks that have expired: only statistics know them. */
  readonly expired: readonly Visit[];
  readonly customers: readonly StoredCustomer[];
}

/** Builds the clicks and referrals of a demo that is stored at `now`. */
export function demoTraffic(now: Seconds): Traffic {
  const players = new Map(demoCast(now).map((player) => [player.advocate.slug, player]));
  const playerOf = (slug: string): Player => {
    const player = players.get(slug);
    if (!player) throw new RangeError(`Nobody is called ${slug}.`);
    return player;
  };
  const stories = demoStories(now, playerOf);
  const told = stories.customers.map(({ referral }) => referral.createdAt);
  const { visits, customers } = demoHistory(now, told);
  const begin = now - PROGRAM.attributionDays * DAY;
  const clicks = visits.map((visit) => clickOf(playerOf(visit.slug), visit));
  return {
    clicks: [...stories.clicks, ...clicks.filter(({ createdAt }) => createdAt > begin)],
    expired: visits.filter(({ at }) => at <= begin),
    customers: [
      ...stories.customers,
      ...customers.map((customer) => {
        return { referral: referralOf(playerOf(customer.slug), customer), payments: customer.payments };
      }),
    ],
  };
}

function clickOf({ advocate, terms }: Player, { number, at, label }: Visit): Referral {
  const id = new Chance(`visit ${number}`).idAt(at);
  return newClick(PROGRAM, { target: advocate, terms }, { id, subId: label }, at);
}

function referralOf(player: Player, customer: Customer): Referral {
  const { number, signedUpAt, visit, code, payments, cancelledAt, rejectedAt } = customer;
  const changes = [
    ...payments.slice(0, 1).map(({ at }) => ['paid', at] as const),
    ...(cancelledAt === null ? [] : [['churned', cancelledAt] as const]),
    ...(rejectedAt === null ? [] : [['rejected', rejectedAt] as const]),
  ];
  const conversion: ConversionFields = {
    target: player.advocate,
    terms: player.terms,
    actor: 'merchant',
    idempotencyRecord: null,
    credit: { by: code === null ? 'link' : 'code', code, lost: null },
    reported: { ...NOTHING_REPORTED, email: emailOf(number), customerUid: `customer-${FIRST_NUMBER + number}` },
    now: signedUpAt,
  };
  const converted = visit
    ? convertClick(clickOf(player, visit), conversion)
    : newReferral(new Chance(`customer ${number}`).idAt(signedUpAt), conversion);
  return changes.reduce((referral, [state, at]) => setState(referral, state, 'merchant', at), converted);
}

/** The customers of stories have lower numbers. */
const FIRST_NUMBER = 1001;
const FIRST_NAMES =
  'mia noah lea paul zoe finn ida max emil nora hugo lina oskar ella theo clara jonas anna luis maria ben sofia tom julie'.split(
    ' ',
  );
const LAST_NAMES =
  'keller martin dubois garcia rossi jansen weber silva novak berg fischer lopez meyer costa moser larsen bauer vidal wolf blanc koch peters lang'.split(
    ' ',
  );

/** Both lists have different lengths, so that a pair of names returns after more customers than there are. */
function emailOf(number: number): string {
  const name = (names: readonly string[]) => names[number % names.length];
  return `${name(FIRST_NAMES)}.${name(LAST_NAMES)}@mail.example`;
}
