import { isObject, valueAt } from '../../kernel/json.ts';
import type { Seconds } from '../../kernel/time.ts';
import { MAX_PROVIDER_ID } from '../../referrals/rules/provider-changes.ts';

/** The object that an event is about. */
export interface StripeObject {
  /** The id of the event. */
  readonly id: string;
  readonly createdAt: Seconds;
  readonly object: unknown;
  /** The version of Stripe's API, such as `2025-03-31.basil`. */
  readonly apiVersion: string | null;
}

/** Printable ASCII, as the ids of payments. */
const ID = new RegExp(`^[\\x20-\\x7e]{1,${MAX_PROVIDER_ID}}$`);

/** Reads an id. Stripe sends an expanded object instead of its id if it was told so. */
export function idAt(object: unknown, name: string): string | undefined {
  const value = valueAt(object, name);
  const id = isObject(value) ? valueAt(value, 'id') : value;
  return typeof id === 'string' && ID.test(id) ? id : undefined;
}

/** Reads a text that is not empty. */
export function textAt(value: unknown, name: string): string | undefined {
  const found = valueAt(value, name);
  return typeof found === 'string' && found !== '' ? found : undefined;
}
