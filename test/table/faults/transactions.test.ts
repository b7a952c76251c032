import { describe, expect, test } from '@jest/globals';
import { ReferralExists, Unavailable } from '../../../functions/domain/errors.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { findAdvocate } from '../../../functions/table/advocates.ts';
import { applyStripeEvent } from '../../../functions/tracking/stripe/endpoint.ts';
import { cancellation, type Fault, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aClick, anAdvocate, aReferral, newId } from '../../support/program.ts';
import { anInvoice } from '../../support/stripe/stripe.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { anEmail, type ConversionInput, track } from '../../support/table/track.ts';
import { allItems, itemsOf, within } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;

const WRITE = 'TransactWriteItems';
const aRequest = () => ({ by: { slug: advocate.slug, clickId: newId() }, email: anEmail() });
const times = (count: number, fault: Fault): Fault[] => Array(count).fill(fault);
const attempts = () => proxy.seen.filter((name) => name === WRITE).length;
const send = (input: ConversionInput) => track(proxied.faulty, program, input);

async function expectUnchanged(work: () => Promise<unknown>): Promise<void> {
  const before = await allItems(table);
  await work();
  expect(await allItems(table)).toEqual(before);
}

describe('a transaction that conflicts with another', () => {
  test('is retried until it succeeds', async () => {
    proxy.next(WRITE, ...times(5, cancellation('None', 'TransactionConflict')));
    expect(await send(aRequest())).toMatchObject({ replayed: false });
    expect(attempts()).toBe(6);
  });

  test('throws Unavailable after 6 attempts and writes nothing', async () => {
    proxy.next(WRITE, ...times(6, cancellation('TransactionConflict', 'None')));
    await expectUnchanged(() => expect(send(aRequest())).rejects.toThrow(Unavailable));
    expect(attempts()).toBe(6);
  });

  test('is retried until the deadline if it applies an event of Stripe', async () => {
    const { email } = await aReferral(table, program, advocate);
    proxy.next(WRITE, ...times(20, cancellation('TransactionConflict', 'None')));
    expect(await applyStripeEvent(proxied.faulty, program, anInvoice({ email: String(email) }))).toEqual({
      applied: 'paid',
    });
    expect(attempts()).toBe(21);
  });

  test.each(['TransactionConflict', 'ThrottlingError'])('names the reason of the last attempt: %s', async (reason) => {
    proxy.next(WRITE, ...times(6, cancellation('ConditionalCheckFailed', reason)));
    await expect(send(aRequest())).rejects.toMatchObject({ reason });
  });

  // The other transaction may be a duplicate of this request whose claim is visible before its idempotency record.
  test('is retried if a condition also failed, and only the retry decides', async () => {
    const request = aRequest();
    proxy.next(WRITE, cancellation('ConditionalCheckFailed', 'None', 'TransactionConflict'));
    expect(await send({ ...request, key: newId() })).toMatchObject({ replayed: false });
    proxy.next(WRITE, cancellation('ConditionalCheckFailed', 'TransactionConflict'));
    await expect(send(request)).rejects.toThrow(ReferralExists);
    expect(attempts()).toBe(4);
  });

  test('throws Unavailable if the deadline passes before the next attempt', async () => {
    proxy.next(WRITE, cancellation('TransactionConflict'));
    const start = Date.now();
    const deadline = milliseconds(start + 60_000);
    const clock = () => (attempts() > 0 ? deadline : milliseconds(start));
    await expect(track(proxied.faulty.but({ clock, deadline }), program, aRequest())).rejects.toThrow(Unavailable);
    expect(attempts()).toBe(1);
  });
});

describe('a transaction that is cancelled for another reason', () => {
  test.each(['ThrottlingError', 'ProvisionedThroughputExceeded'])('is retried: %s', async (code) => {
    proxy.next(WRITE, cancellation('None', code));
    expect(await send(aRequest())).toMatchObject({ replayed: false });
    expect(attempts()).toBe(2);
  });

  test.each(['ItemCollectionSizeLimitExceeded', 'ValidationError'])('does not throw Unavailable: %s', async (code) => {
    proxy.next(WRITE, cancellation('None', code));
    await expect(send(aRequest())).rejects.toMatchObject({ name: 'TransactionCanceledException' });
    expect(attempts()).toBe(1);
  });
});

describe('a transaction request that fails', () => {
  test.each([
    ['throttling', refusal('ProvisionedThroughputExceededException')],
    ['the same transaction in progress', refusal('TransactionInProgressException')],
    ['a failure of DynamoDB', refusal('InternalServerError', {}, 500)],
    ['a broken connection', 'drop' as const],
  ])('is retried, and finally throws Unavailable: %s', async (_, fault) => {
    proxy.next(WRITE, fault);
    expect(await send(aRequest())).toMatchObject({ replayed: false });
    proxy.next(WRITE, ...times(20, fault));
    await expectUnchanged(() => expect(send(aRequest())).rejects.toThrow(Unavailable));
  });

  test('throws Unavailable at the deadline if no response arrives', async () => {
    proxy.next(WRITE, ...times(10, 'hang'));
    await expectUnchanged(() =>
      expect(track(within(proxied.faulty, 300), program, aRequest())).rejects.toThrow(Unavailable),
    );
  });
});

describe('a transaction whose response is lost does not conflict with itself', () => {
  test.each([
    ['of a new referral', async () => aRequest()],
    ['of a click', async () => ({ by: { slug: advocate.slug, clickId: (await aClick(table, program, advocate)).id } })],
    ['with Idempotency-Key', async () => ({ ...aRequest(), key: newId() })],
  ])('%s', async (_, make) => {
    proxy.next(WRITE, 'lose');
    const { referral, replayed } = await send(await make());
    expect(replayed).toBe(false);
    expect(attempts()).toBe(2);
    expect(expectConsistent(await itemsOf(table, program), program)).toContainEqual(referral);
  });

  // The SDK repeats the request whose response was lost, but the retry after the conflict is a new request. DynamoDB
  // recognizes the transaction that it has already executed only because both have the same ClientRequestToken.
  test.each([
    ['a conflict', cancellation('TransactionConflict', 'None')],
    ['throttling', cancellation('None', 'ThrottlingError')],
  ])('even if the repetition meets %s', async (_, fault) => {
    const request = aRequest();
    proxy.next(WRITE, 'lose', fault);
    const { referral, replayed } = await send(request);
    expect([replayed, referral.email, attempts()]).toEqual([false, request.email, 3]);
    expect(expectConsistent(await itemsOf(table, program), program)).toContainEqual(referral);
  });

  test('of a new advocate, even if the repetition conflicts with another transaction', async () => {
    proxy.next(WRITE, 'lose', cancellation('TransactionConflict'));
    const created = await anAdvocate(proxied.faulty, program, { uid: newId() });
    expect(await findAdvocate(table, program.id, created.slug)).toEqual(created);
  });

  test('of a new advocate', async () => {
    proxy.next(WRITE, 'lose');
    const created = await anAdvocate(proxied.faulty, program, { uid: newId() });
    expect(await findAdvocate(table, program.id, created.slug)).toEqual(created);
  });

  test('and is replayed for the same Idempotency-Key if the response was lost at every attempt', async () => {
    const input = { ...aRequest(), key: newId() };
    proxy.next(WRITE, 'lose', 'drop', 'drop');
    await expect(send(input)).rejects.toThrow(Unavailable);
    expect(await send(input)).toMatchObject({ replayed: true, referral: { email: input.email } });
  });
});
