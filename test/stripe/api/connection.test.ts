import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { findProgram } from '../../../functions/kernel/accounts/table/programs.ts';
import { stripeOwner } from '../../../functions/kernel/secrets/secrets.ts';
import type { OperationId } from '../../../functions/routes.ts';
import { type ApiRequest, DRIVERS, type Send, sendToHandlers } from '../../support/drivers.ts';
import { MemoryParts } from '../../support/events/parts.ts';
import { aProgram, aToken } from '../../support/program.ts';
import { aCancellation, signedRequest } from '../../support/stripe/stripe.ts';
import { allItems } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const parts = new MemoryParts();
let program: Program;
let token: string;
beforeEach(async () => {
  parts.reset();
  program = await aProgram(table);
  token = await aToken(table, program);
});

const caller =
  (send: Send) =>
  (operation: OperationId, request: Omit<ApiRequest, 'operation'> = {}) =>
    send({ operation, token, ...request });
const secretOf = (name: string) => `whsec_${name.padEnd(32, '0')}`;
const valuesOf = async () => (await parts.secrets.read(stripeOwner(program.id))).map(({ value }) => value);

describe.each(DRIVERS)('the connection to Stripe through %s', (_, connect) => {
  const call = caller(connect(table, parts));
  const put = (body: object) => call('connectStripe', { body });
  const attributes = (secrets: number, on_refund: string) => ({
    data: {
      id: program.id,
      type: 'stripe',
      attributes: {
        url: expect.stringMatching(new RegExp(`^https?://[^/]+/v2/integrations/stripe/${program.id}$`)),
        secrets,
        on_refund,
      },
    },
  });

  test('the two newest secrets are valid, and no response contains one', async () => {
    expect((await call('getStripe')).json).toEqual(attributes(0, 'ignore'));
    for (const [index, name] of ['a', 'b', 'c', 'c'].entries()) {
      const { status, json, text } = await put({ secret: secretOf(name) });
      expect([status, json]).toEqual([200, attributes(Math.min(index + 1, 2), 'ignore')]);
      expect(text).not.toContain('whsec_');
    }
    expect(await valuesOf()).toEqual([secretOf('c'), secretOf('b')]);
    expect((await call('getStripe')).text).not.toContain('whsec_');
    expect(JSON.stringify(await allItems(table))).not.toContain('whsec_');
  });

  test('the effect of refunds changes without a secret, and is read without the cache of tokens', async () => {
    expect((await put({ on_refund: 'reject' })).json).toEqual(attributes(0, 'reject'));
    expect((await call('getStripe')).json).toEqual(attributes(0, 'reject'));
    expect(await findProgram(table, program.id)).toMatchObject({ onRefund: 'reject' });
    expect((await put({ on_refund: 'ignore', secret: secretOf('a') })).json).toEqual(attributes(1, 'ignore'));
  });

  test('a disconnection removes all secrets, and can be repeated', async () => {
    for (const name of ['a', 'b']) await put({ secret: secretOf(name) });
    for (let count = 0; count < 2; count += 1) {
      expect(await call('disconnectStripe')).toMatchObject({ status: 204, text: '' });
      expect((await call('getStripe')).json).toEqual(attributes(0, 'ignore'));
    }
  });

  test.each([
    [{}, 'secret or on_refund is required'],
    [{ secret: 'sk_live_4711' }, /^secret must be the whole signing secret/],
    [{ secret: secretOf('a'), on_refund: '4711' }, 'on_refund must be one of ignore, reject'],
  ])('%j is refused, without the secret in the sentence', async (body, sentence) => {
    await expectUnchanged(table, async () => {
      const { status, json, text } = await put(body);
      expect([status, json.error]).toEqual([400, expect.stringMatching(sentence)]);
      expect(text).not.toMatch(/4711|whsec_\w/);
    });
    expect(await valuesOf()).toEqual([]);
  });
});

describe('secrets that change at the same time', () => {
  const call = caller(sendToHandlers(table, parts));

  test('two secrets that are added at the same time are both valid', async () => {
    await Promise.all(['a', 'b'].map((name) => call('connectStripe', { body: { secret: secretOf(name) } })));
    expect((await valuesOf()).toSorted()).toEqual([secretOf('a'), secretOf('b')]);
  });

  test('the service accepts the events of a connected account, until it is disconnected', async () => {
    const secret = secretOf('a');
    await call('connectStripe', { body: { secret } });
    const send = (at: typeof parts) =>
      sendToHandlers(table, at)(signedRequest(program.id, aCancellation({ uid: 'nobody' }), { secret }));
    expect((await send(parts)).json).toEqual({ ignored: 'unknown_customer' });
    await call('disconnectStripe');
    expect((await send(parts)).status).toBe(400);
  });
});
