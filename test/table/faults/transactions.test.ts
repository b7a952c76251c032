import { describe, expect, test } from '@jest/globals';
import { ReferralExists, Unavailable } from '../../../functions/domain/errors.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { findAdvocate } from '../../../functions/table/advocates.ts';
import { cancellation, type Fault, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aClick, anAdvocate, newId } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { anEmail, type ConversionInput, track } from '../../support/table/track.ts';
import { allItems, itemsOf, within } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const through = useFaultyProxy(table);
const { proxy } = through;

const WRITE = 'TransactWriteItems';
const aRequest = () => ({ by: { slug: advocate.slug, clickId: newId() }, email: anEmail() });
const times = (count: number, fault: Fault): Fault[] => Array(count).fill(fault);
const tries = () => proxy.seen.filter((name) => name === WRITE).length;
const send = (said: ConversionInput) => track(through.faulty, program, said);

async function unchanged(work: () => Promise<unknown>): Promise<void> {
  const before = await allItems(table);
  await work();
  expect(await allItems(table)).toEqual(before);
}

describe('a transaction that conflicts with another', () => {
  test('is tried again until it succeeds', async () => {
    proxy.next(WRITE, ...times(5, cancellation('None', 'TransactionConflict')));
    expect(await send(aRequest())).toMatchObject({ replayed: false });
    expect(tries()).toBe(6);
  });

  test('is Unavailable after 6 tries, and nothing is written', async () => {
    proxy.next(WRITE, ...times(6, cancellation('TransactionConflict', 'None')));
    await unchanged(() => expect(send(aRequest())).rejects.toThrow(Unavailable));
    expect(tries()).toBe(6);
  });

  // The other may be this very request, sent twice, of which the claim shows before the record does.
  test('is tried again if a condition failed beside the conflict, and is decided only then', async () => {
    const request = aRequest();
    proxy.next(WRITE, cancellation('ConditionalCheckFailed', 'None', 'TransactionConflict'));
    expect(await send({ ...request, key: newId() })).toMatchObject({ replayed: false });
    proxy.next(WRITE, cancellation('ConditionalCheckFailed', 'TransactionConflict'));
    await expect(send(request)).rejects.toThrow(ReferralExists);
    expect(tries()).toBe(4);
  });

  test('is Unavailable if the deadline comes before the next attempt', async () => {
    proxy.next(WRITE, cancellation('TransactionConflict'));
    const start = Date.now();
    const deadline = milliseconds(start + 60_000);
    const clock = () => (tries() > 0 ? deadline : milliseconds(start));
    await expect(track(through.faulty.but({ clock, deadline }), program, aRequest())).rejects.toThrow(Unavailable);
    expect(tries()).toBe(1);
  });
});

describe('a transaction that is cancelled for another reason', () => {
  test.each(['ThrottlingError', 'ProvisionedThroughputExceeded'])('is tried again: %s', async (code) => {
    proxy.next(WRITE, cancellation('None', code));
    expect(await send(aRequest())).toMatchObject({ replayed: false });
    expect(tries()).toBe(2);
  });

  test.each(['ItemCollectionSizeLimitExceeded', 'ValidationError'])('is not Unavailable: %s', async (code) => {
    proxy.next(WRITE, cancellation('None', code));
    await expect(send(aRequest())).rejects.toMatchObject({ name: 'TransactionCanceledException' });
    expect(tries()).toBe(1);
  });
});

describe('a transaction that fails as a whole', () => {
  test.each([
    ['throttling', refusal('ProvisionedThroughputExceededException')],
    ['the same transaction under way', refusal('TransactionInProgressException')],
    ['a failure of DynamoDB', refusal('InternalServerError', {}, 500)],
    ['a broken connection', 'drop' as const],
  ])('is tried again, and Unavailable in the end: %s', async (_, fault) => {
    proxy.next(WRITE, fault);
    expect(await send(aRequest())).toMatchObject({ replayed: false });
    proxy.next(WRITE, ...times(20, fault));
    await unchanged(() => expect(send(aRequest())).rejects.toThrow(Unavailable));
  });

  test('without a response is Unavailable at the deadline', async () => {
    proxy.next(WRITE, ...times(10, 'hang'));
    await unchanged(() => expect(track(within(through.faulty, 300), program, aRequest())).rejects.toThrow(Unavailable));
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
    expect(tries()).toBe(2);
    expect(expectConsistent(await itemsOf(table, program), program)).toContainEqual(referral);
  });

  // The SDK repeats the lost one by itself; what follows the conflict is a request of its own. Only the same
  // ClientRequestToken in both makes DynamoDB recognize the transaction that it has carried out already.
  test.each([
    ['a conflict', cancellation('TransactionConflict', 'None')],
    ['throttling', cancellation('None', 'ThrottlingError')],
  ])('also if its repetition meets %s', async (_, fault) => {
    const request = aRequest();
    proxy.next(WRITE, 'lose', fault);
    const { referral, replayed } = await send(request);
    expect([replayed, referral.email, tries()]).toEqual([false, request.email, 3]);
    expect(expectConsistent(await itemsOf(table, program), program)).toContainEqual(referral);
  });

  test('of a new advocate, also if its repetition meets a conflict', async () => {
    proxy.next(WRITE, 'lose', cancellation('TransactionConflict'));
    const created = await anAdvocate(through.faulty, program, { uid: newId() });
    expect(await findAdvocate(table, program.id, created.slug)).toEqual(created);
  });

  test('of a new advocate', async () => {
    proxy.next(WRITE, 'lose');
    const created = await anAdvocate(through.faulty, program, { uid: newId() });
    expect(await findAdvocate(table, program.id, created.slug)).toEqual(created);
  });

  test('nor if it is lost at every attempt: with the same Idempotency-Key it is a replay', async () => {
    const said = { ...aRequest(), key: newId() };
    proxy.next(WRITE, 'lose', 'drop', 'drop');
    await expect(send(said)).rejects.toThrow(Unavailable);
    expect(await send(said)).toMatchObject({ replayed: true, referral: { email: said.email } });
  });
});
