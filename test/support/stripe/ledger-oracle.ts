import { expectedCommission } from '../ledger/money-oracle.ts';
import type { GeneratedPayment, Meaning } from './generated-payments.ts';

const NOTHING = { payments: 0, refunds: 0, commissions: 0, adjustments: 0, settlements: 0 };
/** What entries add up to. Refunds and settlements are negative. */
export type Sums = typeof NOTHING;
/** The sums of days in a currency, such as `2026-03-09 eur`. */
export type DaySums = Record<string, Sums>;

/** Adds to the sums of a day. */
export function addTo(sums: DaySums, name: string, added: Partial<Sums>): void {
  sums[name] = plus(sums[name] ?? NOTHING, added);
}

function plus(one: Sums, other: Partial<Sums>): Sums {
  const sum = { ...one };
  for (const [name, value] of Object.entries(other)) sum[name as keyof Sums] += value;
  return sum;
}

export const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

const balanceOf = ({ commissions, adjustments, settlements }: Sums) => commissions + adjustments + settlements;

type Fact = NonNullable<Meaning['fact']>;

/** Decides the commission of a payment. `number` is 1 for the first payment. */
export type Decide = (payment: GeneratedPayment, number: number) => number;

interface Paid {
  readonly created: number;
  readonly net: bigint;
  readonly gross: bigint;
  readonly currency: string;
  readonly commission: bigint;
  isVoid: boolean;
  refunded: bigint;
  left: bigint;
}

const DAY = 86_400;

/**
 * Computes what Stripe's events are worth for one advocate, by day of arrival. It knows the rules, but nothing of the
 * service: after each delivery it computes anew what is left of the payments that the event may concern.
 */
export class LedgerOracle {
  readonly sums: DaySums = {};
  readonly #decide: Decide;
  readonly #payments = new Map<string, Paid>();
  /** The invoices of each payment intent, and the payment intents of each invoice. */
  readonly #links = new Map<string, Set<string>>();
  readonly #sources = new Map<string, Set<string>>();
  readonly #facts = new Map<string, Map<string, Fact>>();

  /** A rate is in percent, with at most 6 decimals. */
  constructor(decides: number | Decide) {
    this.#decide = typeof decides === 'number' ? ({ net }) => expectedCommission(net, decides) : decides;
  }

  deliver({ payment, link, fact }: Meaning, at: number): void {
    if (payment && !this.#payments.has(payment.id)) {
      const { id, created, net, gross, currency } = payment;
      const commission = BigInt(this.#decide(payment, this.#payments.size + 1));
      const amounts = { net: BigInt(net), gross: BigInt(gross), commission };
      this.#payments.set(id, { created, currency, ...amounts, isVoid: false, refunded: 0n, left: 0n });
      addTo(this.sums, `${dayOf(at)} ${currency}`, { payments: net });
      this.#settle(id, at);
    }
    if (link) {
      setOf(this.#links, link.source).add(link.id);
      setOf(this.#sources, link.id).add(link.source);
    }
    if (fact) this.#learn(fact);
    const source = link?.source ?? fact?.source;
    if (source === undefined) return;
    for (const id of [source, ...setOf(this.#links, source)]) this.#settle(id, at);
  }

  /** Voids a payment: later refunds take back nothing. */
  void(id: string, at: number): void {
    const payment = this.#payments.get(id);
    if (!payment || payment.isVoid) return;
    payment.isVoid = true;
    addTo(this.sums, `${dayOf(at)} ${payment.currency}`, {});
    this.#settle(id, at);
  }

  /** An adjustment or a settlement. */
  book(currency: string, added: Partial<Sums>, at: number): void {
    addTo(this.sums, `${dayOf(at)} ${currency}`, added);
  }

  /** All payments, with what was refunded of them and what is left of their commissions. */
  payments() {
    return [...this.#payments].map(([id, { net, currency, refunded, left }]) => {
      return { id, amount: Number(net), currency, refunded: Number(refunded), left: Number(left) };
    });
  }

  /** The statement of a month, as texts: what was delivered until `now` counts. */
  statement(month: string, now: number, payableAfterDays: number): string[] {
    const sums = Object.entries(this.sums).map(([name, of]) => ({
      month: name.slice(0, 7),
      currency: name.slice(11),
      of,
    }));
    return [...new Set(sums.map(({ currency }) => currency))].sort().flatMap((currency) => {
      const own = sums.filter((each) => each.currency === currency);
      const total = (isWanted: (each: string) => boolean) =>
        own.filter((each) => isWanted(each.month)).reduce((sum, { of }) => plus(sum, of), NOTHING);
      const opening = balanceOf(total((each) => each < month));
      if (opening === 0 && !own.some((each) => each.month === month)) return [];
      const found = total((each) => each === month);
      const { payments, refunds, commissions, adjustments, settlements } = found;
      const pending = [...this.#payments.values()].filter(
        (payment) =>
          payment.currency === currency && Math.floor(now / DAY) - Math.floor(payment.created / DAY) < payableAfterDays,
      );
      const payable = balanceOf(total(() => true)) - pending.reduce((sum, { left }) => sum + Number(left), 0);
      const ends = [opening, opening + balanceOf(found), payable];
      return [[currency, payments, refunds, commissions, adjustments, settlements, ...ends].join(' ')];
    });
  }

  #learn(fact: Fact): void {
    const known = this.#facts.get(fact.source) ?? new Map<string, Fact>();
    this.#facts.set(fact.source, known);
    const before = known.get(fact.id);
    const isLarger = before === undefined || fact.returned > before.returned;
    if (fact.kind === 'charge' ? isLarger : before === undefined || isLater(fact, before)) known.set(fact.id, fact);
  }

  /** Adds the difference to what was left of a payment before. */
  #settle(id: string, at: number): void {
    const payment = this.#payments.get(id);
    if (!payment) return;
    const { net, gross, currency, commission, isVoid } = payment;
    const exact = (net * this.#returned(id) * 2n + gross) / (gross * 2n);
    const refunded = exact > net ? net : exact;
    const left = isVoid ? 0n : (commission * (net - refunded) * 2n + net) / (net * 2n);
    if (refunded === payment.refunded && left === payment.left) return;
    const difference = { refunds: Number(payment.refunded - refunded), commissions: Number(left - payment.left) };
    addTo(this.sums, `${dayOf(at)} ${currency}`, difference);
    Object.assign(payment, { refunded, left });
  }

  /** What was refunded and withdrawn of the payment intents that belong to this payment alone. */
  #returned(id: string): bigint {
    const others = [...setOf(this.#sources, id)].filter((source) => setOf(this.#links, source).size === 1);
    const facts = [id, ...others].flatMap((source) => [...(this.#facts.get(source)?.values() ?? [])]);
    return facts.reduce((sum, { returned }) => sum + BigInt(returned), 0n);
  }
}

function setOf(sets: Map<string, Set<string>>, name: string): Set<string> {
  const found = sets.get(name) ?? new Set();
  sets.set(name, found);
  return found;
}

function isLater(one: Fact, other: Fact): boolean {
  return one.created > other.created || (one.created === other.created && one.returned < other.returned);
}
