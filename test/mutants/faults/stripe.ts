import type { Faults } from '../table.ts';

export const STRIPE: Faults = {
  'functions/tracking/stripe/handler.ts': [
    ['if (!isSignedByStripe(header, body, values, now)) throw invalid();', '', 'api/stripe/stripe'],
    ['body.byteLength > MAX_EVENT || ', '', 'api/stripe/stripe'],
    ['known.slice(0, MAX_SECRETS)', 'known', 'api/stripe/stripe'],
    ['stripeOwner(program.id)', "stripeOwner('')", 'api/stripe/stripe'],
  ],
  'functions/tracking/stripe/signature.ts': [
    ['const TOLERANCE = 300;', 'const TOLERANCE = 3000;', 'unit/tracking/stripe/stripe-signature'],
    ['Math.abs(now - Number(time))', 'now - Number(time)', 'unit/tracking/stripe/stripe-signature'],
    ['<= TOLERANCE ?', '< TOLERANCE ?', 'unit/tracking/stripe/stripe-signature'],
    ['.update(`${signed.time}.`)', '', 'unit/tracking/stripe/stripe-signature'],
    ['signed.signatures.some((', 'signed.signatures.slice(0, 1).some((', 'unit/tracking/stripe/stripe-signature'],
    ['return secrets.some((secret)', 'return secrets.slice(0, 1).some((secret)', 'unit/tracking/stripe/stripe-signature'],
    ['first.length === second.length && timingSafeEqual(first, second)', 'first.length === second.length', 'unit/tracking/stripe/stripe-signature'],
    ["valuesOf('v1')", "[...valuesOf('v1'), ...valuesOf('v0')]", 'unit/tracking/stripe/stripe-signature'],
  ],
  'functions/tracking/stripe/stripe-event.ts': [
    [" && isPositive(valueAt(object, 'amount_total'))", '', 'unit/tracking/stripe/stripe-event'],
    ["valueAt(object, 'payment_status') === 'paid' && ", '', 'unit/tracking/stripe/stripe-event'],
    ["isPositive(valueAt(object, 'amount_paid')) ? 'paid' : undefined", "'paid'", 'unit/tracking/stripe/stripe-event'],
    ["onRefund === 'reject' && ", '', 'unit/tracking/stripe/stripe-event'],
    ["valueAt(object, 'refunded') === true", "valueAt(object, 'refunded') !== undefined", 'unit/tracking/stripe/stripe-event'],
    ["if (valueAt(object, 'mode') === 'setup') return undefined;", '', 'unit/tracking/stripe/stripe-event'],
    ["type.startsWith('checkout.')", "type === 'checkout.session.completed'", 'unit/tracking/stripe/stripe-event'],
    ['value > 0', 'value >= 0', 'unit/tracking/stripe/stripe-event'],
    ["    valueAt(object, 'customer_details', 'email'),\n    valueAt(object, 'customer_email'),", "    valueAt(object, 'customer_email'),\n    valueAt(object, 'customer_details', 'email'),", 'unit/tracking/stripe/stripe-customer'],
    ["[valueAt(object, 'client_reference_id'), ...metadata.map((data) => valueAt(data, 'gr_id'))]", "[...metadata.map((data) => valueAt(data, 'gr_id')), valueAt(object, 'client_reference_id')]", 'unit/tracking/stripe/stripe-customer'],
    ["if (Object.values(customer).every((reference) => reference === null)) return 'no_identity';", '', 'unit/tracking/stripe/stripe-event'],
    ["return 'churned';", "return 'rejected';", 'unit/tracking/stripe/stripe-event'],
  ],
  'functions/secrets/secrets.ts': [
    ['previous && newest.createdAt + ROTATION > now', 'previous', 'unit/secrets/secrets'],
    ['Math.max(secret.createdAt, after)', 'secret.createdAt', 'unit/local/service-file'],
    ['await store.remove(owner, all.slice(MAX_SECRETS));', '', 'unit/local/service-file'],
    ['await cache.getOrLoad(owner, () => reader.read(owner))', 'await reader.read(owner)', 'unit/secrets/secrets'],
  ],
  'functions/secrets/parameter-store.ts': [
    ['other.createdAt - one.createdAt', 'one.createdAt - other.createdAt', 'unit/secrets/parameter-store'],
    ['} while (token !== undefined);', "} while (token === '');", 'unit/secrets/parameter-store'],
    ['status >= 500 || status === 429', 'status === 429', 'unit/secrets/parameter-store'],
    ["if (!Array.isArray(parameters)) throw missing('Parameters');", 'if (!Array.isArray(parameters)) return [];', 'unit/secrets/parameter-store'],
    ['names.slice(start, start + MAX_BATCH)', 'names', 'unit/secrets/parameter-store'],
    ["Type: 'SecureString'", "Type: 'String'", 'unit/secrets/parameter-store'],
  ],
};
