import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { contextOf } from '../../../bin/local/event.ts';
import { ServiceFile } from '../../../bin/service/service-file.ts';
import { stripeSourceHandler } from '../../../functions/stripe/stream/source.ts';
import { sendToHandlers } from '../../support/drivers.ts';
import { type Fault, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aReferral, newId } from '../../support/program.ts';
import { anInvoice, SECRET, signedRequest, withSecrets } from '../../support/stripe/stripe.ts';
import { statesIn } from '../../support/table/consistency.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const { table, program, advocate: jane } = await useProgram();
const proxied = useFaultyProxy(table);
const secrets = withSecrets([SECRET]);

// stripe-privacy.test.ts reads the log of failures.
beforeEach(() => {
  jest.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const UNAVAILABLE = { status: 503, json: { error: 'The service is busy: try again later' } };
/** More than the SDK makes. */
const EVERY_ATTEMPT = 4;
const always = (fault: Fault): Fault[] => Array(EVERY_ATTEMPT).fill(fault);
const send = (event: unknown) => sendToHandlers(proxied.faulty, secrets)(signedRequest(program.id, event));
const aCustomer = async () => {
  const uid = newId();
  return { uid, id: (await aReferral(table, program, jane, { customerUid: uid })).id };
};

describe('a table that does not respond', () => {
  test.each(['GetItem', 'BatchGetItem', 'TransactWriteItems'])(
    'an event returns 503, so that Stripe delivers again, if %s fails',
    async (operation) => {
      const { uid, id } = await aCustomer();
      const event = anInvoice({ uid, customer: newId() });
      proxied.proxy.next(operation, ...always(refusal('InternalServerError', {}, 500)));
      await expectUnchanged(table, async () => {
        const response = await send(event);
        expect(response).toMatchObject(UNAVAILABLE);
        expect(response.headers).toMatchObject({ 'retry-after': '1', 'x-error-code': 'unavailable' });
      });
      proxied.proxy.reset();
      expect((await send(event)).json).toEqual({ applied: 'paid' });
      expect(statesIn((await storedReferral(table, program, id))?.history)).toEqual(['converted', 'paid']);
    },
  );

  test('an event whose transaction loses its response was applied, and is not applied again', async () => {
    const { uid, id } = await aCustomer();
    const event = anInvoice({ uid, customer: newId() });
    proxied.proxy.next('TransactWriteItems', ...always('lose'));
    expect(await send(event)).toMatchObject(UNAVAILABLE);
    proxied.proxy.reset();
    expect((await send(event)).json).toEqual({ ignored: 'duplicate' });
    expect(await storedReferral(table, program, id)).toMatchObject({ state: 'paid', version: 2 });
  });
});

test('a damaged file of secrets is named in the log, with what to do', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'damaged-'));
  using file = new ServiceFile(folder.path);
  using database = new DatabaseSync(join(folder.path, 'service.sqlite'));
  database.exec('DROP TABLE secret');
  const request = signedRequest(program.id, anInvoice({ uid: 'nobody' }));
  expect(await sendToHandlers(table, file.secrets)(request)).toMatchObject({ status: 500 });
  const cause = expect.stringMatching(
    /^The file \S+service\.sqlite cannot be used \(.+\)\. If it is damaged, move it away and restart /,
  );
  expect(console.error).toHaveBeenCalledWith(expect.objectContaining({ error: 'internal', cause }));
});

describe('events that arrive through EventBridge', () => {
  const context = { ...contextOf('tracking'), getRemainingTimeInMillis: () => 600_000 };

  test('an event through EventBridge has the same effects without a signature', async () => {
    const { uid } = await aCustomer();
    const handler = stripeSourceHandler(table.connection);
    const input = { program: program.id, event: anInvoice({ uid }) };
    expect(await handler(input, context)).toEqual({ applied: 'paid' });
    expect(await handler(input, context)).toEqual({ ignored: 'duplicate' });
    expect(await handler({ program: program.id, event: null }, context)).toEqual({ ignored: 'unreadable' });
  });

  test.each([newId(), '', 'acme'])('an event fails for the unknown program %p, so that it is not lost', async (id) => {
    const failed = stripeSourceHandler(table.connection)({ program: id, event: {} }, context);
    await expect(failed).rejects.toMatchObject({ name: 'UnknownProgram' });
  });
});
