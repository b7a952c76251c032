import { validBody } from '../../kernel/http/validation.ts';
import { parseSecret, type StripeChanges, type StripeConnection } from './connection.ts';
import { stripeBody } from './validators.js';

/** Parses the body that connects Stripe. Throws `InvalidField`. */
export function parseStripe(json: unknown): StripeChanges {
  const { secret, on_refund: onRefund } = validBody(json, stripeBody);
  return { secret: secret === undefined ? undefined : parseSecret(secret), onRefund };
}

/** Builds the response with a connection. `url` is the address of the program's endpoint. */
export function toStripe({ program, secrets, onRefund }: StripeConnection, url: string) {
  return { data: { id: program, type: 'stripe', attributes: { url, secrets, on_refund: onRefund } } } as const;
}
