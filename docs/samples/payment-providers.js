import { createHmac, timingSafeEqual } from 'node:crypto';

const { BASE_URL, PROGRAM_TOKEN } = process.env;

/** Reports the state of a customer. Throws if the provider should send its event again. */
async function report({ uid: id, gr_id } = {}, state) {
  if (!id) return;
  // Some providers return a number as a number, but the API accepts only text.
  const uid = String(id);
  // Known already, or not referred. Visitors can change the gr_id, so it may have any form.
  const expected = ['referral_exists', 'invalid_affiliate_slug', 'invalid_field'];
  if (gr_id) await post('/v2/tracking/conversion', { uid, gr_id }, expected);
  // Not referred, or the state does not follow from the current one.
  await post('/v2/tracking/state', { uid, state }, ['referral_not_found', 'state_refused']);
}

async function post(path, body, expected) {
  const response = await fetch(new URL(path, BASE_URL), {
    method: 'POST',
    headers: { authorization: `Bearer ${PROGRAM_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(3000),
  });
  const code = response.headers.get('x-error-code');
  if (!response.ok && !expected.includes(code)) throw new Error(`${path} responded ${response.status} (${code}).`);
}

/** Compares in constant time. */
function isEqual(one = '', other = '') {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** HMAC-SHA256 in hex. */
const sign = (secret, text) => createHmac('sha256', secret).update(text).digest('hex');

/*
 * Paddle: pass both ids as custom data (https://developer.paddle.com/build/transactions/custom-data):
 *   Paddle.Checkout.open({ items, customData: { uid: String(user.id), gr_id: cookies.gr_id } });
 * Select the notifications `transaction.completed` and `subscription.canceled`. Each destination has its own secret
 * (https://developer.paddle.com/webhooks/about/signature-verification).
 */
export async function onPaddle(headers, body) {
  const parts = (headers['paddle-signature'] ?? '').split(';').map((part) => part.split('='));
  const valuesOf = (name) => parts.flatMap(([key, value]) => (key === name ? [value] : []));
  const [time] = valuesOf('ts');
  const expected = sign(process.env.PADDLE_SECRET, `${time}:${body}`);
  // Paddle's own libraries also accept five seconds.
  const isRecent = Math.abs(Date.now() / 1000 - Number(time)) <= 5;
  if (!isRecent || !valuesOf('h1').some((value) => isEqual(value, expected))) throw new Error('Not from Paddle.');

  const { event_type: type, data } = JSON.parse(body);
  // A trial starts with a transaction of 0.
  const isPayment = type === 'transaction.completed' && Number(data.details.totals.total) > 0;
  if (isPayment) await report(data.custom_data ?? {}, 'paid');
  if (type === 'subscription.canceled') await report(data.custom_data ?? {}, 'churned');
}

/*
 * Lemon Squeezy: add both ids to the checkout link as custom data, or to `checkout_data.custom` of checkouts that your
 * server creates (https://docs.lemonsqueezy.com/help/checkout/passing-custom-data):
 *   url.searchParams.set('checkout[custom][uid]', String(user.id));
 *   if (cookies.gr_id) url.searchParams.set('checkout[custom][gr_id]', cookies.gr_id);
 * Select the event types `order_created`, `subscription_payment_success` and `subscription_expired`
 * (`subscription_cancelled` only starts the grace period). Choose the secret when you create the webhook
 * (https://docs.lemonsqueezy.com/help/webhooks/signing-requests).
 */
export async function onLemonSqueezy(headers, body) {
  if (!isEqual(headers['x-signature'], sign(process.env.LEMON_SQUEEZY_SECRET, body))) {
    throw new Error('Not from Lemon Squeezy.');
  }
  const { meta, data } = JSON.parse(body);
  const isPaid = data.attributes.status === 'paid' && data.attributes.total > 0;
  const isPayment = ['order_created', 'subscription_payment_success'].includes(meta.event_name);
  if (isPayment && isPaid) await report(meta.custom_data, 'paid');
  if (meta.event_name === 'subscription_expired') await report(meta.custom_data, 'churned');
}

/*
 * Chargebee: create the customer fields `cf_uid` and `cf_gr_id`, and set both as text when your server creates the
 * customer or checkout (https://apidocs.chargebee.com/docs/api/advanced-features). Select the event types
 * `payment_succeeded` and `subscription_cancelled`. Chargebee does not sign webhooks: protect yours by basic
 * authentication with a long random password.
 */
export async function onChargebee(headers, body) {
  const { CHARGEBEE_USER, CHARGEBEE_PASSWORD } = process.env;
  const credentials = Buffer.from(`${CHARGEBEE_USER}:${CHARGEBEE_PASSWORD}`).toString('base64');
  if (!isEqual(headers.authorization, `Basic ${credentials}`)) throw new Error('Not from Chargebee.');

  const { event_type: type, content } = JSON.parse(body);
  const customer = { uid: content.customer?.cf_uid, gr_id: content.customer?.cf_gr_id };
  if (type === 'payment_succeeded' && content.transaction.amount > 0) await report(customer, 'paid');
  if (type === 'subscription_cancelled') await report(customer, 'churned');
}

export async function record({ uid } = {}, payment_id, amount, currency) {
  if (!uid || !(amount > 0)) return;
  const payment = { uid: String(uid), payment_id, amount, currency: currency.toLowerCase() };
  // Not referred.
  await post('/v2/payments', payment, ['referral_not_found']);
}

/** For `transaction.completed`. Paddle's amounts are texts. */
export async function recordPaddle({ data: { id, custom_data, details } }) {
  const { total, tax, currency_code } = details.totals;
  await record(custom_data ?? {}, id, Number(total) - Number(tax), currency_code);
}

/** For `order_created` and `subscription_payment_success`, the first of which repeats the order. */
export async function recordLemonSqueezy({ meta, data: { id, type, attributes } }) {
  const { billing_reason, total, tax, currency } = attributes;
  if (billing_reason !== 'initial') await record(meta.custom_data, `${type}-${id}`, total - tax, currency);
}

/** For `payment_succeeded`, which may pay a part of an invoice. */
export async function recordChargebee({ content: { customer, transaction, invoice } }) {
  const withoutTax = invoice?.total > 0 ? (invoice.total - invoice.tax) / invoice.total : 1;
  const amount = Math.round(transaction.amount * withoutTax);
  await record({ uid: customer?.cf_uid }, transaction.id, amount, transaction.currency_code);
}
