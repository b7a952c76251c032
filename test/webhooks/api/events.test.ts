import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { newSecret, webhookOwner } from '../../../functions/kernel/secrets/secrets.ts';
import { DAY, milliseconds, rfc3339 } from '../../../functions/kernel/time.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import type { OperationId } from '../../../functions/routes.ts';
import type { Webhook } from '../../../functions/webhooks/rules/webhook.ts';
import { recordDelivery } from '../../../functions/webhooks/table/deliveries.ts';
import { updateWebhook } from '../../../functions/webhooks/table/webhooks.ts';
import { type ApiRequest, DRIVERS, type Send } from '../../support/drivers.ts';
import { MemoryParts } from '../../support/events/parts.ts';
import { anAdvocate, aProgram, aReferral, aToken, newId, now } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { aWebhook } from '../../support/table/webhooks.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const parts = new MemoryParts();
let program: Program;
let webhook: Webhook;
let token: string;
beforeEach(async () => {
  parts.reset();
  program = await aProgram(table);
  webhook = await aWebhook(table, program, { events: ['referral.converted'] });
  token = await aToken(table, program);
});

const caller =
  (send: Send) =>
  (operation: OperationId, request: Omit<ApiRequest, 'operation'> = {}) =>
    send({ operation, token, id: webhook.id, ...request });
const DISABLED = [409, 'webhook_disabled', 'The webhook is disabled. Enable it first.'];
const TOO_LARGE = [400, 'range_too_large', expect.stringContaining('webhook replay')];

/** Records attempts, one for each status, a second apart. The last one is the newest. */
async function record(statuses: readonly (number | null)[], first = table.clock() - 60_000): Promise<void> {
  for (const [index, status] of statuses.entries()) {
    await recordDelivery(table, program.id, webhook.id, {
      eventId: `${newId()}.${index + 1}`,
      eventType: 'referral.paid',
      status,
      error: status === null ? 'timeout' : null,
      attempt: 1,
      durationMs: 5,
      startedAt: milliseconds(first + index * 1000),
    });
  }
}

describe.each(DRIVERS)('the events of a webhook through %s', (_, connect) => {
  const call = caller(connect(table, parts));
  const list = async (query = '') => {
    const { status, headers, json } = await call('listDeliveries', { query });
    expect(status).toBe(200);
    const [, link] = /[?&](cursor=[^>&]+)/.exec(headers['link'] ?? '') ?? [];
    return { statuses: json.data.map((row: { attributes: { status: number } }) => row.attributes.status), link, json };
  };

  test('a test returns what the receiver responds, signed with the secret, also for a disabled webhook', async () => {
    const secret = { value: newSecret(table.random), createdAt: table.clock() };
    await parts.secrets.add(webhookOwner(program.id, webhook.id), secret);
    await updateWebhook(table, program.id, webhook.id, { enabled: false });
    const { status, json } = await call('testWebhook');
    expect([status, json.data]).toEqual([
      200,
      {
        id: expect.stringMatching(/^\d+\.test\./),
        type: 'delivery',
        attributes: {
          event_id: expect.stringMatching(/^test\./),
          event: 'webhook.test',
          status: 204,
          reason: null,
          attempt: 1,
          duration_ms: expect.any(Number),
          created_at: expect.any(Number),
        },
      },
    ]);
    const event = { id: json.data.attributes.event_id, body: '{"type":"webhook.test"}' };
    expect(parts.sent).toEqual([[webhook.url, event, [secret.value]]]);
    parts.result = { status: null, error: 'timeout', retryAfter: null };
    expect((await call('testWebhook')).json.data.attributes).toMatchObject({ status: null, reason: 'timeout' });
    // Tests are not deliveries.
    expect((await list()).statuses).toEqual([]);
  });

  test('deliveries are listed newest first, page by page, without gaps', async () => {
    await record([200, null, 500, 204, 410]);
    const first = await list('per_page=2');
    expect([first.statuses, first.json.meta.pagination]).toEqual([
      [410, 204],
      { page: 1, per_page: 2, has_more: true },
    ]);
    // A newer delivery does not move the next page.
    await record([201], table.clock());
    const second = await list(`per_page=2&${first.link}`);
    const third = await list(`per_page=2&${second.link}`);
    expect([second.statuses, third.statuses.length, third.link]).toEqual([[500, null], 1, undefined]);
    expect(second.json.data[1]).toMatchObject({
      type: 'delivery',
      attributes: { reason: 'timeout', event: 'referral.paid' },
    });
  });

  test('deliveries are filtered by success, and the cursor is valid for the same filter only', async () => {
    await record([200, null, 500, 204, 410, 299, 300]);
    expect((await list('succeeded_eq=true')).statuses).toEqual([299, 204, 200]);
    expect((await list('succeeded_eq=false')).statuses).toEqual([300, 410, 500, null]);
    const { statuses, link } = await list('succeeded_eq=true&per_page=2');
    expect(statuses).toEqual([299, 204]);
    expect((await list(`succeeded_eq=true&per_page=2&${link}`)).statuses).toEqual([200]);
    const other = await call('listDeliveries', { query: `succeeded_eq=false&per_page=2&${link}` });
    expect(outcomeOf(other)).toEqual([400, 'invalid_field', expect.stringMatching(/^cursor is not valid/)]);
  });

  test('an event is queued again with its original id, whether the webhook subscribed to it or not', async () => {
    const advocate = await anAdvocate(table, program);
    const { id } = await aReferral(table, program, advocate);
    await call('setState', { body: { id, state: 'paid' } });
    // A lost response makes the client repeat the request: receivers recognize the id.
    for (let count = 0; count < 2; count += 1) {
      const { status, json } = await call('resendEvent', { body: { event_id: `${id}.2` } });
      expect([status, json]).toEqual([202, { data: { id: webhook.id, type: 'replay', attributes: { queued: 1 } } }]);
    }
    const event = expect.objectContaining({ id: `${id}.2`, type: 'referral.paid', referralId: id });
    const message = { program: program.id, webhook: webhook.id, event, advocateId: advocate.id, attempt: 1 };
    expect(parts.messages).toEqual([message, message].map((each) => expect.objectContaining(each)));
  });

  test('an event is found neither by an unknown id nor in another program, and a malformed id is invalid', async () => {
    const other = await aProgram(table);
    const foreign = await aReferral(table, other, await anAdvocate(table, other));
    const { id } = await aReferral(table, program, await anAdvocate(table, program));
    for (const eventId of [`${newId()}.1`, `${id}.2`, `${foreign.id}.1`]) {
      const response = await call('resendEvent', { body: { event_id: eventId } });
      expect(outcomeOf(response)).toEqual([404, 'event_not_found', 'Event not found']);
    }
    for (const eventId of [id, `${id}.0`, 'x']) {
      const response = await call('resendEvent', { body: { event_id: eventId } });
      expect(outcomeOf(response)).toEqual([
        400,
        'invalid_field',
        expect.stringMatching(/^event_id must be the id of an/),
      ]);
    }
    expect(parts.messages).toEqual([]);
  });

  test('a replay queues the events of the period to which the webhook subscribed, both ends included', async () => {
    const advocate = await anAdvocate(table, program);
    const referrals: Referral[] = [];
    for (let count = 0; count < 3; count += 1) referrals.push(await aReferral(table, program, advocate));
    await call('setState', { body: { id: referrals[0]?.id, state: 'paid' } });
    const times = referrals.map(({ createdAt }) => createdAt);
    const [since, until] = [Math.min(...times), Math.max(...times)].map(rfc3339);
    const { status, json } = await call('replayEvents', { body: { since, until } });
    expect([status, json.data]).toEqual([200, { id: webhook.id, type: 'replay', attributes: { queued: 3 } }]);
    expect(parts.messages.map(({ event }) => event.id).toSorted()).toEqual(
      referrals.map(({ id }) => `${id}.1`).toSorted(),
    );
    const earlier = { since: rfc3339(Number(now()) - DAY), until: rfc3339(Math.min(...times) - 1) };
    expect((await call('replayEvents', { body: earlier })).json.data.attributes).toEqual({ queued: 0 });
  });

  test('a replay covers at most 7 days, up to now', async () => {
    const [since, until] = ['2026-01-01T00:00:00Z', '2026-01-08T00:00:00Z'];
    expect((await call('replayEvents', { body: { since, until } })).status).toBe(200);
    const later = await call('replayEvents', { body: { since, until: '2026-01-08T00:00:01Z' } });
    expect(outcomeOf(later)).toEqual(TOO_LARGE);
    expect(outcomeOf(await call('replayEvents', { body: { since } }))).toEqual(TOO_LARGE);
    const recent = { since: rfc3339(Number(now()) - 7 * DAY + 600), until: '2099-01-01T00:00:00Z' };
    expect((await call('replayEvents', { body: recent })).status).toBe(200);
    const reversed = await call('replayEvents', { body: { since: until, until: since } });
    expect([reversed.status, reversed.json.error]).toEqual([400, 'until must not be earlier than since']);
  });

  test('a disabled webhook gets neither an event nor a replay', async () => {
    const { id } = await aReferral(table, program, await anAdvocate(table, program));
    await updateWebhook(table, program.id, webhook.id, { enabled: false });
    await expectUnchanged(table, async () => {
      expect(outcomeOf(await call('resendEvent', { body: { event_id: `${id}.1` } }))).toEqual(DISABLED);
      const body = { since: rfc3339(Number(now()) - 60) };
      expect(outcomeOf(await call('replayEvents', { body }))).toEqual(DISABLED);
    });
    expect(parts.messages).toEqual([]);
  });
});
