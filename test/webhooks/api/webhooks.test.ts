import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { Unavailable } from '../../../functions/kernel/errors.ts';
import { webhookOwner } from '../../../functions/kernel/secrets/secrets.ts';
import type { OperationId } from '../../../functions/routes.ts';
import { DEFAULT_EVENT_TYPES } from '../../../functions/webhooks/rules/event.ts';
import { listProgramWebhooks } from '../../../functions/webhooks/table/program-webhooks.ts';
import { findWebhook } from '../../../functions/webhooks/table/webhooks.ts';
import { type ApiRequest, DRIVERS, type Send, sendToHandlers } from '../../support/drivers.ts';
import { MemoryParts } from '../../support/events/parts.ts';
import { aProgram, aToken, newId } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { aWebhook, failForFiveDays } from '../../support/table/webhooks.ts';
import { allItems } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const URL = 'https://shop.example/hooks';
let program: Program;
let token: string;
const parts = new MemoryParts();
beforeEach(async () => {
  program = await aProgram(table);
  token = await aToken(table, program);
  parts.reset();
});

const caller =
  (send: Send) =>
  (operation: OperationId, request: Omit<ApiRequest, 'operation'> = {}) =>
    send({ operation, token, ...request });
const NOT_FOUND = [404, 'webhook_not_found', 'Webhook not found'];

describe.each(DRIVERS)('webhooks through %s', (_, connect) => {
  const call = caller(connect(table, parts));

  test('a new webhook is returned with its secret, which only the store contains afterwards', async () => {
    const { status, json } = await call('createWebhook', { body: { url: URL } });
    const { id, attributes } = json.data;
    const { secret, ...others } = attributes;
    expect([status, json.data.type, others]).toEqual([
      201,
      'webhook',
      {
        url: URL,
        events: DEFAULT_EVENT_TYPES,
        include_email: false,
        enabled: true,
        disabled_reason: null,
        failing_since: null,
        created_at: expect.any(Number),
      },
    ]);
    // Standard Webhooks: whsec_ and the base64 of 24 to 64 bytes.
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(24);
    expect((await parts.secrets.read(webhookOwner(program.id, id))).map(({ value }) => value)).toEqual([secret]);
    const resource = { id, type: 'webhook', attributes: others };
    expect((await call('listWebhooks')).json).toEqual({ data: [resource] });
    expect((await call('getWebhook', { id: id.toUpperCase() })).json).toEqual({ data: resource });
    expect(JSON.stringify(await allItems(table))).not.toContain(secret);
  });

  test.each([
    [{}, 'url is required'],
    [{ url: 'http://shop.example/' }, /^url must be an https address/],
    [{ url: 'https://10.0.0.1/secret' }, /^url leads to an address that is not public: /],
    [{ url: 'https://unknown.example/secret' }, /^url has a name that does not resolve: /],
    [{ url: URL, events: [] }, 'events must not be empty'],
    [{ url: URL, events: ['secret'] }, /^events.* must be one of referral\.clicked, /],
    [{ url: URL, include_email: 'secret' }, 'include_email must be true or false'],
  ])('a new webhook with %j is refused, and nothing is stored', async (body, sentence) => {
    await expectUnchanged(table, async () => {
      const response = await call('createWebhook', { body });
      expect(outcomeOf(response)).toEqual([400, 'invalid_field', expect.stringMatching(sentence)]);
      expect(response.text).not.toContain('secret');
    });
    expect(parts.stored.size).toBe(0);
  });

  test('a change of a webhook leaves absent fields as they are, and can be repeated', async () => {
    const webhook = await aWebhook(table, program, { events: ['referral.paid'] });
    const change = (body: object) => call('updateWebhook', { id: webhook.id, body });
    expect((await change({})).json.data.attributes).toMatchObject({ url: webhook.url, events: ['referral.paid'] });
    for (let count = 0; count < 2; count += 1) {
      const { status, json } = await change({ url: URL, events: ['referral.rejected', 'referral.churned'] });
      expect([status, json.data.attributes]).toMatchObject([
        200,
        { url: URL, events: ['referral.churned', 'referral.rejected'], include_email: false, enabled: true },
      ]);
    }
    expect((await change({ include_email: true, enabled: false })).json.data.attributes).toMatchObject({
      ...{ url: URL, include_email: true, enabled: false, disabled_reason: 'merchant' },
    });
    expect((await change({ enabled: true })).json.data.attributes).toMatchObject({
      ...{ include_email: true, enabled: true, disabled_reason: null },
    });
  });

  test('a webhook that failed for five days shows why it is disabled and since when, until it is enabled', async () => {
    const webhook = await aWebhook(table, program);
    const failing_since = await failForFiveDays(table, program.id, webhook);
    const { json } = await call('getWebhook', webhook);
    expect(json.data.attributes).toMatchObject({ enabled: false, disabled_reason: 'failing', failing_since });
    const changed = await call('updateWebhook', { id: webhook.id, body: { enabled: true } });
    expect(changed.json.data.attributes).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
  });

  test('a deleted webhook is unknown, and its secrets are removed', async () => {
    const { json } = await call('createWebhook', { body: { url: URL } });
    const { id } = json.data;
    expect(await call('deleteWebhook', { id })).toMatchObject({ status: 204, text: '' });
    expect(parts.stored.size).toBe(0);
    expect(outcomeOf(await call('deleteWebhook', { id }))).toEqual(NOT_FOUND);
    expect((await call('listWebhooks')).json).toEqual({ data: [] });
  });

  test('a rotation returns a new secret, and the previous one stays valid', async () => {
    const { json } = await call('createWebhook', { body: { url: URL } });
    const { id, attributes } = json.data;
    const rotated = await call('rotateWebhookSecret', { id });
    const { secret, ...others } = rotated.json.data.attributes;
    expect([rotated.status, { ...others, secret: attributes.secret }]).toEqual([200, attributes]);
    const values = (await parts.secrets.read(webhookOwner(program.id, id))).map(({ value }) => value);
    expect(values).toEqual([secret, attributes.secret]);
    // A lost response is not repeated by the client. A merchant who repeats it ends the oldest secret.
    const again = await call('rotateWebhookSecret', { id });
    const left = (await parts.secrets.read(webhookOwner(program.id, id))).map(({ value }) => value);
    expect(left).toEqual([again.json.data.attributes.secret, secret]);
  });

  test.each<[OperationId, object | undefined]>([
    ['getWebhook', undefined],
    ['updateWebhook', { enabled: false }],
    ['deleteWebhook', undefined],
    ['rotateWebhookSecret', undefined],
    ['testWebhook', undefined],
    ['listDeliveries', undefined],
    ['resendEvent', { event_id: `${newId()}.1` }],
    ['replayEvents', { since: '2026-11-01T00:00:00Z' }],
  ])('%s finds neither unknown nor malformed ids, nor webhooks of other programs', async (operation, body) => {
    const other = await aWebhook(table, await aProgram(table));
    await expectUnchanged(table, async () => {
      for (const id of [newId(), 'x', `${other.id}#`, other.id]) {
        expect(outcomeOf(await call(operation, { id, ...(body && { body }) }))).toEqual(NOT_FOUND);
      }
    });
    expect([parts.stored.size, parts.messages, parts.sent]).toEqual([0, [], []]);
  });
});

describe('webhooks that are created at the same time', () => {
  const call = caller(sendToHandlers(table, parts));

  test('a program gets 20 webhooks if more are created together, and refused ones leave no secret', async () => {
    for (let count = 0; count < 18; count += 1) await aWebhook(table, program);
    const responses = await Promise.all([1, 2, 3, 4].map(() => call('createWebhook', { body: { url: URL } })));
    const refused = [409, 'too_many_webhooks', expect.stringContaining('20 webhooks')];
    const outcomes = responses.map(outcomeOf).toSorted(([one], [other]) => Number(one) - Number(other));
    expect(outcomes).toEqual([[201], [201], refused, refused]);
    expect(await listProgramWebhooks(table, program.id)).toHaveLength(20);
    expect(parts.stored.size).toBe(2);
  });

  test('a webhook that is deleted during a rotation keeps no secret', async () => {
    const { id } = await aWebhook(table, program);
    parts.beforeAdd = () => call('deleteWebhook', { id });
    expect(outcomeOf(await call('rotateWebhookSecret', { id }))).toEqual(NOT_FOUND);
    expect(parts.stored.size).toBe(0);
    expect(await findWebhook(table, program.id, id)).toBeUndefined();
  });
});

test('a failure of the store of secrets returns 503, creates nothing, and logs no secret', async () => {
  const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  let added = '';
  const secrets = {
    ...parts.secrets,
    add: async (_: unknown, { value }: { readonly value: string }) => {
      added = value;
      throw new Unavailable(new Error(value));
    },
  };
  const call = caller(sendToHandlers(table, { ...parts, secrets }));
  const response = await call('createWebhook', { body: { url: URL } });
  expect(response.status).toBe(503);
  expect(added).toMatch(/^whsec_/);
  expect(response.text + JSON.stringify(log.mock.calls)).not.toContain(added);
  expect(await listProgramWebhooks(table, program.id)).toEqual([]);
  log.mockRestore();
});
