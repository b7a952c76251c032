import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Webhook as Signer } from 'standardwebhooks';
import { Unavailable } from '../../../functions/kernel/errors.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { eraseReferral } from '../../../functions/referrals/table/referrals.ts';
import { findWebhook, updateWebhook } from '../../../functions/webhooks/table/webhooks.ts';
import { refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aProgram } from '../../support/program.ts';
import { DeliveryScene, secretOf } from '../../support/table/delivery.ts';
import { aWebhook } from '../../support/table/webhooks.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
let scene: DeliveryScene;
let logged: unknown[][];
beforeEach(async () => {
  scene = await DeliveryScene.create(table);
  logged = jest.spyOn(console, 'error').mockImplementation(() => undefined).mock.calls;
});
afterEach(() => {
  jest.restoreAllMocks();
});

const webhook = () => findWebhook(table, scene.program.id, scene.webhook.id);
const status = (code: number, headers: Record<string, string> = {}) => {
  scene.respond = (response) => response.writeHead(code, headers).end();
};

describe('a delivered event', () => {
  test('a delivered event has its id, and the fields of the contract', async () => {
    const message = scene.message();
    expect(await scene.deliver(message)).toEqual([]);
    const [request] = scene.receiver.received;
    expect(request?.headers['webhook-id']).toBe(`${scene.referral.id}.1`);
    const { referral } = scene;
    expect(scene.bodies()).toMatchObject([
      {
        type: 'referral.converted',
        timestamp: new Date(referral.stateSetAt * 1000).toISOString().replace('.000Z', 'Z'),
        data: {
          id: referral.id,
          state: 'converted',
          previous_state: null,
          state_set_at: referral.stateSetAt,
          created_at: referral.createdAt,
          sub_id: null,
          uid: referral.customerUid,
          affiliate_slug: referral.advocateSlug,
          advocate_id: scene.advocateId,
          commission_percentage: referral.commissionPercentage,
          commission_end_date: referral.commissionEndDate,
          flags: ['self_referral'],
          by: 'merchant',
        },
      },
    ]);
  });

  test('a delivered event is recorded with its status, and is not queued again', async () => {
    status(201);
    await scene.deliver(scene.message({ attempt: 3 }));
    const expected = { eventId: `${scene.referral.id}.1`, eventType: 'referral.converted', status: 201, error: null };
    expect(await scene.deliveries()).toEqual([{ ...expected, attempt: 3, durationMs: 0, startedAt: scene.now }]);
    expect(scene.queue.messages).toEqual([]);
  });

  test('a batch of deliveries records one line of metrics for each program, without what is not due or not wanted', async () => {
    const other = await aWebhook(table, await aProgram(table), { url: scene.receiver.url });
    const codes = [204, 500, 200];
    scene.respond = (response) => response.writeHead(codes.pop() ?? 500).end();
    const message = scene.message();
    await scene.deliver(message, message, message, { ...message, due: milliseconds(scene.now + 60_000) });
    await scene.deliver({ ...message, webhook: other.id });
    expect(scene.metrics).toEqual([[scene.program.id, { SucceededDeliveries: 2, FailedDeliveries: 1 }]]);
  });

  test('a delivered event contains the email only for webhooks that include it', async () => {
    const including = await DeliveryScene.create(table, { webhook: { includeEmail: true } });
    await including.deliver(including.message());
    expect(including.bodies()[0]?.data).toMatchObject({ email: including.referral.email });
    await scene.deliver(scene.message());
    expect(scene.bodies()[0]?.data).not.toHaveProperty('email');
  });

  test('a delivered event contains nothing about a person who is erased while the secrets are read', async () => {
    const including = await DeliveryScene.create(table, { webhook: { includeEmail: true } });
    const read = including.readSecrets;
    including.readSecrets = async () => {
      await eraseReferral(table, including.program.id, including.referral.id, 'merchant');
      return read();
    };
    await including.deliver(including.message());
    expect(including.bodies()).toMatchObject([{ data: { uid: null, email: null, flags: [] } }]);
  });
});

describe('signatures', () => {
  const signatures = () => String(scene.receiver.received.at(-1)?.headers['webhook-signature']).split(' ');
  const expected = (...bytes: readonly number[]) => {
    const request = scene.receiver.received.at(-1);
    const id = String(request?.headers['webhook-id']);
    return bytes.map((byte) => new Signer(secretOf(byte)).sign(id, new Date(scene.now), request?.body ?? ''));
  };

  test('an event is signed with the newest secret, and for 24 hours also with the previous one', async () => {
    await scene.deliver(scene.message());
    expect(signatures()).toEqual(expected(1));
    scene.now = milliseconds(scene.now + 1000);
    scene.rotate(2);
    const rotated = scene.now;
    await scene.deliver(scene.message());
    expect(signatures()).toEqual(expected(2, 1));
    scene.now = milliseconds(rotated + 86_400_000 - 1);
    await scene.deliver(scene.message());
    expect(signatures()).toEqual(expected(2, 1));
    scene.now = milliseconds(rotated + 86_400_000);
    await scene.deliver(scene.message());
    expect(signatures()).toEqual(expected(2));
  });

  test('nothing is sent without a secret, and the message is received again', async () => {
    scene.secrets = [];
    expect(await scene.deliver(scene.message())).toEqual([0]);
    expect(scene.receiver.received).toEqual([]);
    scene.rotate(1);
    expect(await scene.deliver(scene.message())).toEqual([]);
  });
});

describe('a webhook', () => {
  test('a webhook is disabled by 410, and the event is not queued again', async () => {
    status(410);
    await scene.deliver(scene.message());
    expect(await webhook()).toMatchObject({ id: scene.webhook.id, disabledReason: 'gone' });
    expect([scene.queue.messages, scene.deadLetters.messages]).toEqual([[], []]);
    expect(await scene.deliveries()).toMatchObject([{ status: 410 }]);
    await scene.deliver(scene.message());
    expect(scene.receiver.received).toHaveLength(1);
    await updateWebhook(table, scene.program.id, scene.webhook.id, { enabled: true });
    await scene.deliver(scene.message());
    expect(scene.receiver.received).toHaveLength(2);
  });

  describe('webhooks that cannot be disabled after 410', () => {
    beforeEach(async () => {
      scene = await DeliveryScene.create(table, { faulty: proxied.faulty });
      status(410);
      proxied.proxy.next('UpdateItem', refusal('AccessDeniedException'));
    });

    test('a webhook that 410 could not disable gets the next scheduled attempt, which disables it', async () => {
      expect(await scene.deliver(scene.message())).toEqual([]);
      expect(scene.queue.messages).toMatchObject([{ message: { attempt: 2, postponedSince: undefined }, delay: 5 }]);
      expect(await scene.deliveries()).toMatchObject([{ status: 410, attempt: 1 }]);
      const { program, webhook: id, event } = scene.message();
      const cause = 'AccessDeniedException';
      const ids = { program, webhook: id, event: event.id };
      expect(logged).toEqual([[{ error: 'attempt_not_counted', ...ids, cause, reason: cause }]]);
      await scene.drain();
      expect(scene.receiver.received).toHaveLength(2);
      expect(await webhook()).toMatchObject({ disabledReason: 'gone' });
    });
  });
});

describe('a table or secrets that cannot be read', () => {
  const MINUTES = 60_000;
  const DAYS = 24 * 60 * MINUTES;
  const unavailable = () => Promise.reject(new Unavailable());

  test('an attempt is postponed by five minutes while the table cannot be read, with its number', async () => {
    scene = await DeliveryScene.create(table, { faulty: proxied.faulty });
    const failure = refusal('InternalServerError', {}, 500);
    proxied.proxy.next('GetItem', failure, failure, failure);
    const message = scene.message({ attempt: 10 });
    expect(await scene.deliver(message)).toEqual([]);
    const due = milliseconds(scene.now + 5 * MINUTES);
    expect(scene.queue.messages).toEqual([
      { message: { ...message, due, postponedSince: scene.now }, delay: 300, visibleAt: due },
    ]);
    const { program, webhook: id } = message;
    const ids = { program, webhook: id, event: message.event.id };
    expect(logged).toEqual([
      [{ error: 'delivery_postponed', ...ids, cause: 'ServiceError', reason: expect.any(String) }],
    ]);
    await scene.drain();
    expect(scene.receiver.received).toHaveLength(1);
  });

  test('an attempt is postponed for up to 4 days', async () => {
    scene.readSecrets = unavailable;
    const since = (age: number) => scene.message({ postponedSince: milliseconds(scene.now - age) });
    expect(await scene.deliver(since(4 * DAYS - 1), since(4 * DAYS))).toEqual([1]);
    expect(scene.queue.messages).toMatchObject([{ message: { postponedSince: scene.now - 4 * DAYS + 1 } }]);
  });

  test('an attempt that was postponed and fails starts anew', async () => {
    status(500);
    await scene.deliver(scene.message({ postponedSince: scene.now }));
    expect(scene.queue.messages).toMatchObject([{ message: { attempt: 2, postponedSince: undefined } }]);
  });
});

describe('messages that cannot be handled', () => {
  afterEach(() => {
    const text = JSON.stringify(logged);
    expect(text).not.toBe('[]');
    for (const secret of [scene.secrets[0]?.value, scene.referral.email, scene.referral.customerUid, 'key=']) {
      expect(text).not.toContain(String(secret));
    }
  });

  test('a malformed message is left to the queue, while the others of its batch are delivered', async () => {
    expect(
      await scene.deliver('{}', scene.message(), '{"a', JSON.stringify({ ...scene.message(), due: null })),
    ).toEqual([0, 2, 3]);
    expect(scene.receiver.received).toHaveLength(1);
  });

  test('a message is left to the queue if its retry or the dead letters are refused', async () => {
    status(500);
    scene.queue.refuses = () => true;
    scene.deadLetters.refuses = () => true;
    expect(await scene.deliver(scene.message(), scene.message({ attempt: 10 }))).toEqual([0, 1]);
  });
});

test('an event is not delivered twice because its delivery cannot be recorded', async () => {
  scene = await DeliveryScene.create(table, { faulty: proxied.faulty });
  proxied.proxy.next('PutItem', refusal('AccessDeniedException'));
  expect(await scene.deliver(scene.message())).toEqual([]);
  expect(logged).toMatchObject([[{ error: 'delivery_not_recorded', webhook: scene.webhook.id }]]);
});
