import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { sender } from '../../../functions/webhooks/stream/send.ts';
import { newId } from '../../support/program.ts';
import { type RunningReceiver, receiversToTest, startReceiver } from './sample-receivers.ts';

const secretOf = (text: string) => `whsec_${Buffer.from(text.padEnd(24, '+')).toString('base64')}`;
const SECRET = secretOf('of the receiver');
const OTHER = secretOf('of another receiver');
/** Not ASCII, so that a receiver that signs characters in place of bytes fails. */
const BODY = JSON.stringify({ type: 'referral.paid', data: { sub_id: 'café ☕ 𝄞', uid: '4711' } });

const aDelivery = () => ({ id: `${newId()}.3`, body: BODY });
const now = () => milliseconds(Date.now());
/** Delivers an event as the service does, `age` seconds ago. Returns the status of the response. */
async function deliver(url: string, event = aDelivery(), secrets: readonly string[] = [SECRET], age = 0) {
  const send = sender({ clock: () => milliseconds(now() - age * 1000), allowLoopback: true });
  return (await send(url, event, secrets)).status;
}

/** The headers of a genuine request. */
function headersOf({ id, body }: ReturnType<typeof aDelivery>): Record<string, string> {
  const sentAt = new Date();
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign(id, sentAt, body),
  };
}

/** The headers of a request that anyone can sign, because its key is empty. */
function forgedHeaders(): Record<string, string> {
  const genuine = headersOf(aDelivery());
  const signed = `${genuine['webhook-id']}.${genuine['webhook-timestamp']}.${BODY}`;
  return { ...genuine, 'webhook-signature': `v1,${createHmac('sha256', '').update(signed).digest('base64')}` };
}

async function post(url: string, headers: Record<string, string>, body: string): Promise<number> {
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

describe.each(receiversToTest())('the receiver in $name', (receiver) => {
  let running: RunningReceiver;
  beforeAll(async () => {
    running = await startReceiver(receiver, SECRET);
  });
  afterAll(() => running.stop());

  test('the receiver accepts a delivery and prints the event', async () => {
    const event = aDelivery();
    expect(await deliver(running.url, event)).toBe(204);
    expect(await running.hasPrinted(`${event.id} referral.paid`)).toBe(true);
  });

  test.each([
    ['before it knows the new secret', [OTHER, SECRET]],
    ['after it got the new secret', [SECRET, OTHER]],
  ])('the receiver accepts a delivery during a rotation, %s', async (_, secrets) => {
    expect(await deliver(running.url, aDelivery(), secrets)).toBe(204);
  });

  test.each([
    ['old', 600, 400],
    ['from the future', -600, 400],
    ['minutes late', 240, 204],
  ])('the receiver responds to a delivery that is %s with the right status', async (_, age, status) => {
    expect(await deliver(running.url, aDelivery(), [SECRET], age)).toBe(status);
  });

  test('the receiver rejects a changed body', async () => {
    const event = aDelivery();
    expect(await post(running.url, headersOf(event), BODY.replace('4711', '4712'))).toBe(400);
    expect(await post(running.url, headersOf(event), BODY)).toBe(204);
  });

  test('the receiver rejects a delivery with a missing or invalid header', async () => {
    const invalid: [name: string, values: (string | undefined)[]][] = [
      ['webhook-id', [undefined, `${newId()}.4`]],
      ['webhook-timestamp', [undefined, String(Math.floor(Date.now() / 1000) - 60), 'yesterday', '']],
      ['webhook-signature', [undefined, '', 'v1', 'v1,', 'v1,é']],
      ['webhook-signature', [`v1,${Buffer.alloc(32).toString('base64')} v1a,${Buffer.alloc(64).toString('base64')}`]],
    ];
    for (const [name, values] of invalid) {
      for (const value of values) {
        const { [name]: _, ...others } = headersOf(aDelivery());
        const headers = value === undefined ? others : { ...others, [name]: value };
        expect([name, value, await post(running.url, headers, BODY)]).toEqual([name, value, 400]);
      }
    }
  });

  test.each([undefined, 'whsec_'])('the receiver accepts no forged delivery if its secret is %j', async (secret) => {
    const forgeable = await startReceiver(receiver, secret);
    try {
      const headers = forgedHeaders();
      // It ended, or responds that it cannot work.
      expect([null, 400, 500]).toContain(await post(forgeable.url, headers, BODY).catch(() => null));
      expect(forgeable.printed()).not.toContain(headers['webhook-id']);
    } finally {
      await forgeable.stop();
    }
  });
});
