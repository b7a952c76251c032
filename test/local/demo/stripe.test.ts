import { describe, expect, test } from '@jest/globals';
import { Service } from '../../../bin/local/demo/service.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { useDemoShop } from '../../support/demo-shop.ts';
import { newId } from '../../support/program.ts';

const shop = useDemoShop();
const { send } = shop;
const anEmail = () => `customer-${newId().slice(-12)}@shop.example`;

/** Signs up a customer whom the advocate referred. Returns the email. */
async function aCustomer(email = anEmail()): Promise<string> {
  expect((await send('sign-up', { email, gr_id: `${shop.advocate().slug}.${newId()}` })).status).toBe(201);
  return email;
}

/** The states of a customer, oldest first, and who reported them. */
async function historyOf(email: string) {
  const response = await fetch(`${shop.url()}/v2/referrals/lookup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.demo().programToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  const { data } = (await response.json()) as { data: { attributes: { history: { state: string; by: string }[] } } };
  const { history } = data.attributes;
  return history.map(({ state, by }) => [state, by]);
}

/** A payment also writes an entry of the ledger. */
const PAID = { applied: 'paid', entry: expect.any(String) };

describe('the simulation of Stripe', () => {
  test('the simulation reports payment, cancellation and the next payment, as fast as the visitor clicks', async () => {
    const email = await aCustomer();
    const responses = [];
    for (const action of ['payment', 'cancellation', 'payment', 'cancellation']) {
      responses.push(await send(action, { email, plan: 'House' }));
    }
    expect(responses).toEqual(
      [PAID, { applied: 'churned' }, PAID, { applied: 'churned' }].map((json) => ({
        ...{ status: 200, json, cookie: undefined },
      })),
    );
    expect(await historyOf(email)).toEqual([
      ['converted', 'merchant'],
      ['paid', 'stripe'],
      ['churned', 'stripe'],
      ['paid', 'stripe'],
      ['churned', 'stripe'],
    ]);
  });

  test('a cancellation contains no email, because the customer is known from the sign-up on', async () => {
    const email = await aCustomer();
    expect((await send('cancellation', { email, plan: 'House' })).json).toEqual({ applied: 'churned' });
  });

  test('the customer is known by each form of the email', async () => {
    const email = await aCustomer(`Mia-${newId().slice(-12)}@Bücher.example`);
    const normalized = email.toLowerCase().replace('bücher', 'xn--bcher-kva');
    expect((await send('cancellation', { email: normalized, plan: 'House' })).json).toEqual({ applied: 'churned' });
  });

  test('the simulation reports a payment of a customer without a referral, which is ignored', async () => {
    for (const email of [anEmail(), 'no email']) {
      expect(await send('payment', { email, plan: 'House' })).toMatchObject({
        status: 200,
        json: { ignored: 'unknown_customer' },
      });
    }
  });

  test('the simulation reports a payment of a rejected customer, which is ignored', async () => {
    const email = await aCustomer();
    const response = await fetch(`${shop.url()}/v2/tracking/state`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.demo().programToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email, state: 'rejected' }),
    });
    expect(response.status).toBe(200);
    expect((await send('payment', { email, plan: 'House' })).json).toEqual({
      entry: PAID.entry,
      ignored: 'refused_transition',
    });
  });

  test('the simulation signs an event of the API reference, which gets the signature without the secret', async () => {
    const event = JSON.stringify({
      object: 'event',
      id: 'evt_ü',
      type: 'plan.created',
      created: 1,
      // Real events are larger than the forms of the shop.
      data: { object: { description: 'x'.repeat(200_000) } },
    });
    const { status, json } = await send('signature', event);
    expect({ status, json }).toEqual({
      status: 200,
      json: { signature: expect.stringMatching(/^t=\d+,v1=[\da-f]{64}$/) },
    });
    const response = await fetch(`${shop.url()}/v2/integrations/stripe/${shop.demo().programId}`, {
      method: 'POST',
      headers: { 'stripe-signature': json.signature },
      body: event,
    });
    expect([response.status, await response.json()]).toEqual([200, { ignored: 'nothing_to_do' }]);
    expect((await send('signature', event, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await send('signature', 'x'.repeat(256 * 1024 + 1))).status).toBe(413);
  });

  test('a wrong secret returns the error of the service, and never costs the shop a customer', async () => {
    const stripeSecret = 'whsec_another';
    const [customer, payment] = await shop.withDemo({ stripeSecret }, async () => {
      const email = await aCustomer();
      return [email, await send('payment', { email, plan: 'House' })] as const;
    });
    expect(payment).toMatchObject({ status: 400, json: { error: expect.stringContaining('Stripe-Signature') } });
    expect(await historyOf(customer)).toEqual([['converted', 'merchant']]);
  });

  test('the simulation dates its events in their order, even if the clock stands still or goes back', async () => {
    const email = await aCustomer();
    const now = shop.table.clock();
    const times = [0, 0, -5000, 0].map((offset) => milliseconds(now + offset));
    const service = new Service(Number(new URL(shop.url()).port), shop.demo(), () => times.shift() ?? now);
    const states = [];
    for (const type of ['customer.subscription.deleted', 'invoice.paid'] as const) {
      for (let repeat = 0; repeat < 2; repeat += 1) states.push((await service.sendStripeEvent(type, email, 100)).body);
    }
    expect(states.map((body) => JSON.parse(body))).toEqual([
      ...[{ applied: 'churned' }, { applied: 'churned' }, PAID, PAID],
    ]);
  });
});
