import type { JsonObject } from '../../../functions/openapi/operation.ts';

/** An event of Stripe, and when it arrives, in Unix seconds. */
export interface Delivery {
  readonly event: JsonObject;
  readonly at: number;
}

/** A payment: when it happened, its amount without tax, and what the customer paid in all. */
export interface GeneratedPayment {
  readonly id: string;
  readonly created: number;
  readonly net: number;
  readonly gross: number;
  readonly currency: string;
}

/** What a delivered event is about, for an oracle that does not parse events. */
export interface Meaning {
  readonly payment?: GeneratedPayment;
  readonly link?: { readonly source: string; readonly id: string };
  readonly fact?: {
    readonly source: string;
    readonly id: string;
    readonly kind: 'charge' | 'dispute';
    readonly returned: number;
    readonly created: number;
  };
}

export interface GeneratedDelivery extends Delivery {
  readonly meaning: Meaning;
}

export const CURRENCIES = ['usd', 'eur', 'jpy'] as const;
const KINDS = ['invoice', 'invoice', 'old invoice', 'checkout', 'both'] as const;
const DAY = 86_400;
/** How late an event arrives, in seconds: waiting refunds are kept for longer. */
const LATEST = 12 * DAY;
/** The payments happen in this time, in seconds, so that what follows happens within a little more than a year. */
const YEAR = 330 * DAY;

/** Random numbers from 0 to 1 that depend on nothing but the seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A charge of a payment. */
interface Charge {
  readonly source: string;
  readonly charged: number;
  readonly created: number;
  readonly currency: string;
  /** The invoice, for API versions in which the charge contains it. */
  readonly invoice: string | undefined;
}

/** The payments of a customer within a year from `start`, with everything that happens to them, twice and shuffled. */
export function generatedPayments(uid: string, count: number, start: number, random: () => number) {
  const customer = new Customer(uid, random);
  for (let index = 0; index < count; index += 1) customer.pay(index, start);
  return customer.deliveries.toSorted((one, other) => one.at - other.at);
}

class Customer {
  readonly deliveries: GeneratedDelivery[] = [];
  readonly #uid: string;
  readonly #random: () => number;
  #events = 0;

  constructor(uid: string, random: () => number) {
    this.#uid = uid;
    this.#random = random;
  }

  /** A payment by an invoice, an invoice of an old API version, a checkout, or a checkout with an invoice. */
  pay(index: number, start: number): void {
    const n = `${this.#uid}_${index}`;
    const net = 1 + this.#below(this.#below(2) === 0 ? 50 : 100_000);
    const gross = net + Math.round((net * this.#below(25)) / 100);
    const currency = CURRENCIES[this.#below(3)] ?? 'usd';
    const created = start + this.#below(YEAR);
    const kind = KINDS[this.#below(KINDS.length)] ?? 'invoice';
    const source = `pi_${n}`;
    const payment = { id: kind === 'checkout' ? source : `in_${n}`, created, net, gross, currency };
    const charge = { source, charged: gross, created, currency, invoice: undefined };
    if (kind === 'checkout') {
      this.#checkout(n, created, payment, { payment_intent: source });
      this.#returns(charge);
    } else if (kind === 'old invoice') {
      this.#invoice(created, payment, source);
      this.#returns({ ...charge, invoice: payment.id });
    } else {
      if (kind === 'both') this.#checkout(n, created, payment, { invoice: payment.id, payment_intent: null });
      this.#invoice(created, payment, undefined);
      this.#parts(payment.id, charge);
      // A payment intent that also pays the previous invoice counts for neither.
      if (index > 0 && this.#below(30) === 0) this.#link(source, `in_${this.#uid}_${index - 1}`, created + 20 * DAY);
    }
  }

  /** One payment intent of an invoice, or two. */
  #parts(invoice: string, charge: Charge): void {
    const sources = this.#below(8) === 0 ? [charge.source, `${charge.source}b`] : [charge.source];
    for (const source of sources) {
      this.#link(source, invoice, charge.created);
      this.#returns({ ...charge, source, charged: Math.floor(charge.charged / sources.length) });
    }
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #add(type: string, created: number, object: JsonObject, meaning: Meaning): void {
    this.#events += 1;
    const event = { object: 'event', id: `evt_${this.#uid}_${this.#events}`, type, created, data: { object } };
    for (let time = 0; time < 2; time += 1) {
      this.deliveries.push({ event, at: created + this.#below(LATEST), meaning });
    }
  }

  #checkout(n: string, created: number, payment: GeneratedPayment, fields: JsonObject): void {
    const { gross, net, currency } = payment;
    const object = {
      ...{ id: `cs_${n}`, mode: 'payment', payment_status: 'paid', amount_total: gross, currency },
      ...{ total_details: { amount_tax: gross - net, amount_shipping: 0 }, metadata: { uid: this.#uid }, ...fields },
    };
    this.#add('checkout.session.completed', created, object, { payment });
  }

  #invoice(created: number, payment: GeneratedPayment, source: string | undefined): void {
    const { id, gross, net, currency } = payment;
    const object = {
      ...{ id, amount_paid: gross, total: gross, total_excluding_tax: net, currency, metadata: { uid: this.#uid } },
      ...(source !== undefined && { payment_intent: source }),
    };
    this.#add('invoice.paid', created, object, { payment, ...(source !== undefined && { link: { source, id } }) });
  }

  #link(source: string, id: string, created: number): void {
    const object = {
      ...{ id: `inpay_${source}`, invoice: id, payment: { type: 'payment_intent', payment_intent: source } },
    };
    this.#add('invoice_payment.paid', created, object, { link: { source, id } });
  }

  /** Refunds in parts, perhaps in full, and perhaps a dispute. */
  #returns(charge: Charge): void {
    if (charge.charged === 0) return;
    let refunded = 0;
    let at = charge.created;
    for (let times = Math.max(0, this.#below(6) - 3); times > 0 && refunded < charge.charged; times -= 1) {
      refunded = this.#below(3) === 0 ? charge.charged : refunded + 1 + this.#below(charge.charged - refunded);
      at += this.#below(20 * DAY);
      this.#refund(charge, refunded, at);
    }
    if (this.#below(10) > 0) return;
    const amount = 1 + this.#below(charge.charged);
    const withdrawn = charge.created + this.#below(20 * DAY);
    this.#dispute(charge, amount, withdrawn);
    if (this.#below(2) === 0) this.#dispute({ ...charge, charged: 0 }, amount, withdrawn + this.#below(20 * DAY));
  }

  #refund({ source, charged, currency, invoice }: Charge, refunded: number, created: number): void {
    const id = `ch_${source}`;
    const object = {
      ...{ id, amount: charged, amount_refunded: refunded, refunded: refunded === charged, currency },
      ...{ payment_intent: source, ...(invoice !== undefined && { invoice }) },
    };
    const fact = { source, id, kind: 'charge', returned: refunded, created } as const;
    const link = invoice !== undefined && { link: { source, id: invoice } };
    this.#add('charge.refunded', created, object, { fact, ...link });
  }

  /** A dispute whose funds are withdrawn, or reinstated if nothing of the charge is left in dispute. */
  #dispute({ source, charged, currency }: Charge, amount: number, created: number): void {
    const [name, returned, status] = charged > 0 ? ['withdrawn', amount, 'under_review'] : ['reinstated', 0, 'won'];
    const id = `du_${source}`;
    const object = { id, amount, currency, charge: `ch_${source}`, payment_intent: source, status: String(status) };
    const fact = { source, id, kind: 'dispute', returned: Number(returned), created } as const;
    this.#add(`charge.dispute.funds_${name}`, created, object, { fact });
  }
}
