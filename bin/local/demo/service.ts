import { randomBytes } from 'node:crypto';
import type { HttpResult } from '../../../functions/kernel/http/context.ts';
import { DAY, later, secondOf, seconds, systemClock } from '../../../functions/kernel/time.ts';
import {
  sendStripeEvent,
  simulatedCustomer,
  simulatedEvent,
  stripeUrl,
} from '../../../functions/stripe/operator/simulation.ts';
import type { StripeEventType } from '../../../functions/stripe/rules/event-types.ts';
import { CURRENCY } from './cast.ts';
import type { Demo } from './demo.ts';

/** Longest wait for the tracking service, in milliseconds. The service itself gives up earlier. */
const TIME_LIMIT = 15_000;
export const CODE = 'x-error-code';
/** How long a page that the demo opens works without a reload, in seconds. */
export const TOKEN_LIFETIME = DAY;

interface JsonResult extends HttpResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function jsonResult(statusCode: number, value: unknown): JsonResult {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { statusCode, headers, body: JSON.stringify(value) };
}

/** The service, as the merchant's server and Stripe call it. Every method throws if it does not respond. */
export class Service {
  readonly #baseUrl: string;
  readonly #demo: Demo;
  readonly #clock: typeof systemClock;
  #lastEvent = seconds(0);

  constructor(port: number, demo: Demo, clock = systemClock) {
    this.#baseUrl = `http://127.0.0.1:${port}`;
    this.#demo = demo;
    this.#clock = clock;
  }

  /** Calls the API with the program's token, which never leaves the server. */
  async call(method: string, path: string, body?: object, headers?: Readonly<Record<string, string>>) {
    const authorization = `Bearer ${this.#demo.programToken}`;
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIME_LIMIT),
    });
    return passedOn(response.status, response.headers, await response.text());
  }

  /** Sends an event with a genuine signature in place of Stripe. `amount` is in cents. */
  async sendStripeEvent(type: StripeEventType, email: string, amount: number): Promise<JsonResult> {
    const { programId, mode, stripeSecret } = this.#demo;
    const now = secondOf(this.#clock());
    // Within one second, the service would order the events by their states: a payment after a cancellation would be lost.
    this.#lastEvent = later(now, seconds(this.#lastEvent + 1));
    const customer = { email, uid: null, grId: null, customer: simulatedCustomer(email) };
    const payment = {
      type,
      ...customer,
      amount,
      tax: 0,
      refunded: amount,
      currency: CURRENCY,
      payment: null,
      promotionCode: null,
      code: null,
      affiliateSlug: null,
      mode,
    };
    const payload = simulatedEvent(payment, this.#lastEvent, randomBytes);
    const event = { payload, secret: stripeSecret, timestamp: now };
    const url = stripeUrl(this.#baseUrl, programId);
    const { status, headers, text } = await sendStripeEvent(url, event, TIME_LIMIT);
    return passedOn(status, headers, text);
  }
}

function passedOn(status: number, headers: Headers, body: string): JsonResult {
  const result = jsonResult(status, null);
  const code = headers.get(CODE);
  return { ...result, headers: { ...result.headers, ...(code !== null && { [CODE]: code }) }, body };
}

/** The data of a successful response, whose form the tests of the API guarantee. Throws for an error. */
export function dataOf<Data>({ statusCode, body }: Awaited<ReturnType<Service['call']>>): Data {
  if (statusCode >= 300) throw new Error(`The service returned ${statusCode}.`);
  return JSON.parse(body).data;
}

export interface Call {
  readonly body: Buffer;
  readonly cookies: string | undefined;
  readonly demo: Demo;
  readonly service: Service;
}

/** Longest field of a form, in characters. The service validates the contents. */
const MAX_FIELD = 300;

export class InvalidForm extends Error {}

/** A field of a form. `error` continues a sentence that begins with the field's name. */
export interface Field<Value> {
  readonly isValid: (value: unknown) => value is Value;
  readonly error: string;
}

export function field(min: 0 | 1): Field<string> {
  const isValid = (value: unknown): value is string =>
    typeof value === 'string' && value.length >= min && value.length <= MAX_FIELD;
  return { isValid, error: `must be a string of ${min} to ${MAX_FIELD} characters.` };
}

/** Parses these fields of the form that a page sent as JSON. Throws `InvalidForm` for the first invalid field. */
export function parseForm<Form>(fields: { readonly [Name in keyof Form]: Field<Form[Name]> }, body: Buffer): Form {
  const form = parseJson(body);
  if (typeof form !== 'object' || form === null || Array.isArray(form))
    throw new InvalidForm('The form must be a JSON object.');
  const sent = new Map<string, unknown>(Object.entries(form));
  const parsed = Object.entries<Field<unknown>>(fields).map(([name, { isValid, error }]) => {
    const value = sent.get(name);
    if (!isValid(value)) throw new InvalidForm(`${name} ${error}`);
    return [name, value];
  });
  return Object.fromEntries(parsed);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined;
  }
}
