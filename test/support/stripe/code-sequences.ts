import fc from 'fast-check';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { CODE_PRIORITIES } from '../../../functions/kernel/accounts/rules/program-fields.ts';
import type { JsonObject } from '../../../functions/openapi/operation.ts';
import { seeded } from './generated-payments.ts';
import { aBill } from './money.ts';
import { aCheckout, aPromotion } from './stripe.ts';

/** Promotion codes of Stripe, and the advocates whose codes they are. `gone` is deactivated, and so is the code `OFF`. */
const PROMOTIONS = {
  jane: { code: 'A', slug: 'jane' },
  again: { code: 'A', slug: 'jane' },
  omar: { code: 'B', slug: 'omar' },
  other: { code: 'C', slug: 'omar' },
  gone: { code: 'D', slug: 'gone' },
  off: { code: 'OFF', slug: 'jane' },
} as const;
type Promotion = keyof typeof PROMOTIONS;
const ALL = Object.keys(PROMOTIONS) as Promotion[];
/** Events that come too late, after a promotion code is known: its text, its advocate or its id is taken. */
const TAKEN = [
  { after: 'jane', promotion: 'stolen', code: 'A', slug: 'omar' },
  { after: 'omar', promotion: 'omar', code: 'B', slug: 'jane' },
  { after: 'other', promotion: 'other', code: 'E', slug: 'jane' },
] as const;
/** Promotion codes that no event gives to anybody. */
const UNKNOWN = ['stolen', 'unknown'] as const;

/** A customer with a checkout, which may be paid later, and invoices. */
interface Customer {
  readonly discounts: readonly (Promotion | (typeof UNKNOWN)[number])[];
  readonly link: 'jane' | 'omar' | 'gone' | null;
  readonly isPaidLater: boolean;
  readonly invoices: number;
}

/** Customers, and in which order the events of them and of all promotion codes are delivered. */
export interface CodeSequence {
  readonly priority: Program['codePriority'];
  readonly customers: readonly Customer[];
  readonly seed: number;
}

const customer: fc.Arbitrary<Customer> = fc.record({
  discounts: fc.shuffledSubarray([...ALL, ...UNKNOWN], { maxLength: 3 }),
  link: fc.constantFrom('jane', 'omar', 'gone', null),
  isPaidLater: fc.boolean(),
  invoices: fc.nat(2),
});

/** Sequences of the events of one or two customers and of their promotion codes. */
export const codeSequence: fc.Arbitrary<CodeSequence> = fc.record({
  priority: fc.constantFrom(...CODE_PRIORITIES),
  customers: fc.array(customer, { minLength: 1, maxLength: 2 }),
  seed: fc.nat(),
});

/** An event, which is delivered twice, and the promotion codes that are known before. */
interface Delivered {
  readonly event: JsonObject;
  readonly after: readonly Promotion[];
  /** The promotion code that it makes known. */
  readonly gives: Promotion | null;
}

/** The names of a sequence: codes and ids end in `n`, so that sequences share a program. */
export const uidOf = (n: number, index: number) => `${n}-${index}`;

/** Builds the events in the order of their delivery. Each is delivered twice. */
export function codeDeliveries({ customers, seed }: CodeSequence, n: number): JsonObject[] {
  const random = seeded(seed);
  const used = ALL.filter((promotion) => customers.some(({ discounts }) => discounts.includes(promotion)));
  const events = [
    ...used.flatMap((promotion) => givingEvents(promotion, n, random)),
    ...TAKEN.filter(({ after }) => used.includes(after)).map(({ after, promotion, code, slug }): Delivered => {
      const event = aPromotion(random() < 0.5 ? 'created' : 'updated', namesOf({ promotion, code, slug }, n));
      return { event, after: [after], gives: null };
    }),
    ...customers.flatMap((each, index) => eventsOf(each, uidOf(n, index), n)),
  ];
  const ranked = [...events, ...events].map((delivered) => ({ ...delivered, rank: random() }));
  const knownAt = (promotion: Promotion) =>
    Math.min(...ranked.filter(({ gives }) => gives === promotion).map(({ rank }) => rank));
  return ranked
    .map(({ event, after, rank }) => ({ event, late: after.length > 0, rank: Math.max(rank, ...after.map(knownAt)) }))
    .sort((one, other) => one.rank - other.rank || Number(one.late) - Number(other.late))
    .map(({ event }) => event);
}

const namesOf = ({ promotion, code, slug }: { promotion: string; code: string; slug: string }, n: number) => ({
  ...{ promotion: `promo_${promotion}_${n}`, code: `${code}${n}`, slug },
});

/** One event that gives an advocate the code, or both. */
function givingEvents(promotion: Promotion, n: number, random: () => number): Delivered[] {
  const kinds = ['created', 'updated'] as const;
  const start = Math.floor(random() * 3);
  return (start < 2 ? kinds.slice(start, start + 1) : kinds).map((kind) => {
    const event = aPromotion(kind, namesOf({ promotion, ...PROMOTIONS[promotion] }, n));
    return { event, after: [], gives: promotion };
  });
}

function eventsOf({ discounts, link, isPaidLater, invoices }: Customer, uid: string, n: number): Delivered[] {
  const after = ALL.filter((promotion) => discounts.includes(promotion));
  const fields = {
    ...{ uid, customer: `cus_${uid}`, session: `cs_${uid}` },
    promotions: discounts.map((promotion) => `promo_${promotion}_${n}`),
    ...(link !== null && { grId: `${link}.${CLICK}` }),
  };
  const checkouts = isPaidLater
    ? [aCheckout({ ...fields, amount: 0 }), { ...aCheckout(fields), type: 'checkout.session.async_payment_succeeded' }]
    : [aCheckout(fields)];
  const bills = Array.from({ length: invoices }, (_, index) => aBill({ n: `${uid}_${index}`, uid, amount: 1000 }));
  return [
    ...checkouts.map((event) => ({ event, after, gives: null })),
    ...bills.map((event) => ({ event, after: [], gives: null })),
  ];
}

/** A click that does not exist: its advocate is credited all the same. */
const CLICK = '019b76da-a800-7000-8000-000000000000';

/** Whom the events credit in order, by what, with which code, and who lost; `undefined` for nobody. */
export function orderedCredit({ discounts, link }: Customer, priority: Program['codePriority'], n: number) {
  const byCode = discounts
    .map((promotion) => (promotion === 'stolen' || promotion === 'unknown' ? undefined : PROMOTIONS[promotion]))
    .filter((found) => found !== undefined && found.slug !== 'gone' && found.code !== 'OFF')
    .map((found) => ({ slug: found?.slug, by: 'code', code: `${found?.code}${n}` }));
  const byLink = link === null || link === 'gone' ? [] : [{ slug: link, by: 'link', code: null }];
  const [first, ...others] = priority === 'code' ? [...byCode, ...byLink] : [...byLink, ...byCode];
  return first && { ...first, lost: others.find(({ slug }) => slug !== first.slug)?.slug ?? null };
}
