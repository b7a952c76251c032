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

async function deliveries() {
  const response = await fetch(`${shop.url()}/demo/deliveries`);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const { data } = (await response.json()) as { data: { number: number; id: string; body: string }[] };
  return data;
}

describe('the receiver of the demo shop', () => {
  test('the receiver shows a delivery to its page, as it was signed', async () => {
    const headers = signed('a-referral.1');
    const before = Date.now();
    expect(await deliver(headers)).toBe(204);
    const [delivery] = await deliveries();
    const sent_at = Number(headers['webhook-timestamp']);
    expect(delivery).toMatchObject({ number: expect.any(Number), id: 'a-referral.1', sent_at, body: BODY });
    const { received_at } = delivery as unknown as { received_at: number };
    expect(received_at).toBeGreaterThanOrEqual(before);
    expect(received_at).toBeLessThanOrEqual(Date.now());
  });

  test('the receiver numbers the deliveries of one event, newest first', async () => {
    for (let attempt = 0; attempt < 2; attempt += 1) expect(await deliver(signed('a-referral.2'))).toBe(204);
    const [second, first] = await deliveries();
    expect([first?.id, second?.id]).toEqual(['a-referral.2', 'a-referral.2']);
    expect(Number(second?.number) - Number(first?.number)).toBe(1);
  });

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
  ])('the receiver refuses and forgets a delivery %s', async (_, send) => {
    const before = await deliveries();
    expect(await send()).toBe(400);
    expect(await deliveries()).toEqual(before);
  });

  test('the receiver remembers the last 50 deliveries', async () => {
    for (let number = 0; number < 51; number += 1) await deliver(signed(`many.${number}`));
    expect((await deliveries()).map(({ id }) => id)).toEqual(
      Array.from({ length: 50 }, (_, index) => `many.${50 - index}`),
    );
  });
});

test('pages of other sites cannot read the deliveries', async () => {
  for (const headers of [{ origin: 'https://elsewhere.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    expect((await fetch(`${shop.url()}/demo/deliveries`, { headers })).status).toBe(403);
  }
});
