import type { GeneratedDelivery, Meaning } from './generated-payments.ts';

/** The sums of a currency in a month: of payments, of refunds, and of commissions. */
export type MonthSums = Record<string, { payments: number; refunds: number; commissions: number }>;

/** Adds to the sums of a month, such as `2026-03 eur`. */
export function addTo(sums: MonthSums, name: string, added: Partial<MonthSums[string]>): void {
  sums[name] ??= { payments: 0, refunds: 0, commissions: 0 };
  const month = sums[name];
  month.payments += added.payments ?? 0;
  month.refunds += added.refunds ?? 0;
  month.commissions += added.commissions ?? 0;
}

export const monthOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 7);

type Fact = NonNullable<Meaning['fact']>;

interface Paid {
  readonly net: bigint;
  readonly gross: bigint;
  readonly currency: string;
  refunded: bigint;
  left: bigint;
}

/**
 * Computes the sums of a customer's payments by month of arrival. It knows the rules, but nothing of the service: after
 * each delivery it computes anew what is left of the payments that the event may concern. `rate` is in millionths of a
 * percent.
 */
export function expectedSums(deliveries: readonly GeneratedDelivery[], rate: bigint): MonthSums {
  const oracle = new Oracle(rate);
  for (const { meaning, at } of deliveries) oracle.deliver(meaning, at);
  return oracle.sums;
}

class Oracle {
  readonly sums: MonthSums = {};
  readonly #rate: bigint;
  readonly #payments = new Map<string, Paid>();
  /** The invoices of each payment intent, and the payment intents of each invoice. */
  readonly #links = new Map<string, Set<string>>();
  readonly #sources = new Map<string, Set<string>>();
  readonly #facts = new Map<string, Map<string, Fact>>();

  constructor(rate: bigint) {
    this.#rate = rate;
  }

  deliver({ payment, link, fact }: Meaning, at: number): void {
    if (payment && !this.#payments.has(payment.id)) {
      const { id, net, gross, currency } = payment;
      this.#payments.set(id, { net: BigInt(net), gross: BigInt(gross), currency, refunded: 0n, left: 0n });
      addTo(this.sums, `${monthOf(at)} ${currency}`, { payments: net });
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
    const { net, gross, currency } = payment;
    const exact = (net * this.#returned(id) * 2n + gross) / (gross * 2n);
    const refunded = exact > net ? net : exact;
    const commission = (net * this.#rate * 2n + 100_000_000n) / 200_000_000n;
    const left = (commission * (net - refunded) * 2n + net) / (net * 2n);
    const difference = { refunds: Number(payment.refunded - refunded), commissions: Number(left - payment.left) };
    addTo(this.sums, `${monthOf(at)} ${currency}`, difference);
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
