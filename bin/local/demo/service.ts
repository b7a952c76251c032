import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { HttpResult } from '../../../functions/kernel/http/context.ts';
import { later, secondOf, seconds, systemClock } from '../../../functions/kernel/time.ts';
import {
  sendStripeEvent,
  simulatedCustomer,
  simulatedEvent,
  stripeUrl,
} from '../../../functions/stripe/operator/simulation.ts';
import type { StripeEventType } from '../../../functions/stripe/rules/event-types.ts';
import { CURRENCY } from './data.ts';
import type { Demo } from './demo.ts';

/** Longest wait for the tracking service, in milliseconds. The service itself gives up earlier. */
const TIME_LIMIT = 15_000;
export const CODE = 'x-error-code';

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

export interface Call {
  readonly body: Buffer;
  readonly cookies: string | undefined;
  readonly demo: Demo;
  readonly service: Service;
}

/** Longest field of a form, in characters. The service validates the contents. */
const MAX_FIELD = 300;

export class InvalidForm extends Error {}

export function field(min: 0 | 1) {
  const error = `must be a string of ${min} to ${MAX_FIELD} characters.`;
  return z.string(error).min(min, error).max(MAX_FIELD, error);
}

/** Parses the form that a page sent as JSON. Throws `InvalidForm` with a sentence that contains the field's name. */
export function parseForm<Form>(schema: z.ZodType<Form>, body: Buffer): Form {
  const { success, data, error } = schema.safeParse(parseJson(body));
  if (success) return data;
  const [
    {
      path: [name],
      message,
    } = { path: [] },
  ] = error.issues;
  throw new InvalidForm(name === undefined ? 'The form must be a JSON object.' : `${String(name)} ${message}`);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined;
  }
}
