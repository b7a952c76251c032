import { valueAt } from '../../kernel/json.ts';
import type { RefusedRequest } from '../../referrals/rules/refusal.ts';
import { idAt, textAt } from './event-object.ts';
import { STRIPE_EVENTS } from './event-types.ts';
import { customerOf, promotionsOf } from './parse-event.ts';
import { parsePayment } from './parse-money.ts';
import type { EventResult, Ignored, ProviderCustomer } from './provider-event.ts';

/**
 * Returns what to record of an event that credited nobody; `undefined` if it need not have: only checkouts and paid
 * invoices credit an advocate, and only once.
 */
export function refusedEvent(json: unknown, result: EventResult): RefusedRequest | undefined {
  const type = STRIPE_EVENTS.find((candidate) => candidate === textAt(json, 'type'));
  const isCheckout = type?.startsWith('checkout.') ?? false;
  // With an entry, the payment is known.
  if (!type || !('ignored' in result) || result.entry !== undefined) return undefined;
  if (!isCheckout && type !== 'invoice.paid') return undefined;
  const object = valueAt(json, 'data', 'object');
  const customer = customerOf(object);
  const { email, uid, grId } = customer;
  const hasCode = isCheckout && promotionsOf(object).length > 0;
  const outcome = outcomeOf(result.ignored, customer, { isCheckout, hasCode });
  const paymentId = parsePayment(type, object)?.id ?? null;
  return (
    outcome && {
      identifiers: { email, uid, clickId: grId?.clickId ?? null, paymentId, code: null },
      advocate: grId && { slug: grId.slug },
      outcome,
      source: 'stripe',
      eventId: idAt(json, 'id') ?? null,
    }
  );
}

function outcomeOf(
  ignored: Ignored,
  { providerId, grId }: ProviderCustomer,
  { isCheckout, hasCode }: { readonly isCheckout: boolean; readonly hasCode: boolean },
): RefusedRequest['outcome'] | undefined {
  switch (ignored) {
    case 'mismatched_customer':
    case 'wrong_mode':
      return ignored;
    case 'unknown_customer':
      if (!grId) return hasCode ? 'code_unknown' : 'no_reference';
      return isCheckout ? 'no_advocate' : 'not_converted';
    case 'no_identity':
      return grId || providerId !== null ? 'refused_field' : 'no_reference';
    default:
      return undefined;
  }
}
