import { describe, expect, test } from '@jest/globals';
import { Webhook as Signer } from 'standardwebhooks';
import { useDemoShop } from '../../support/demo-shop.ts';

const shop = useDemoShop();
const BODY = '{"type":"referral.paid","data":{"id":"01900000-0000-7000-8000-000000000000"}}';
const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** The headers of a delivery that is sent now, or a number of seconds ago. */
function signed(id: string, { body = BODY, secret = shop.demo().webhookSecret, age = 0 } = {}) {
  const time = Math.floor(Date.now() / 1000) - age;
  const signature = new Signer(secret).sign(id, new Date(time * 1000), body);
  return { 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': signature };
}

/** Delivers a body to the shop as the service does. Resolves to the status. */
async function deliver(headers: Record<string, string>, body = BODY): Promise<number> {
  const response = await fetch(`${shop.url()}/demo/webhook`, { method: 'POST', headers, body });
  expect(await response.text()).toBe('');
  return response.status;
}

describe('the receiver of the demo shop', () => {
  test('the receiver accepts a delivery that is also signed with another secret, as after a rotation', async () => {
    const other = signed('a-referral.3', { secret: shop.demo().stripeSecret })['webhook-signature'];
    const own = signed('a-referral.3');
    expect(await deliver({ ...own, 'webhook-signature': `${other} ${own['webhook-signature']}` })).toBe(204);
  });

  test.each<[string, () => Promise<number>]>([
    ['with a changed body', () => deliver(signed('a'), BODY.replace('paid', 'churned'))],
    ['with a changed id', () => deliver({ ...signed('a'), 'webhook-id': 'b' })],
    ['signed with another secret', () => deliver(signed('a', { secret: shop.demo().stripeSecret }))],
    ['sent more than five minutes ago', () => deliver(signed('a', { age: 600 }))],
    ['from the future', () => deliver(signed('a', { age: -600 }))],
    ['without JSON', () => deliver(signed('a', { body: 'paid' }), 'paid')],
    ...HEADERS.map((name): [string, () => Promise<number>] => [
      `without ${name}`,
      () => {
        const { [name]: _, ...others } = signed('a');
        return deliver(others);
      },
    ]),
  ])('the receiver refuses a delivery %s', async (_, send) => {
    expect(await send()).toBe(400);
  });
});
