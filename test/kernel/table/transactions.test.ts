import { describe, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import { ReferralExists, Unavailable } from '../../../functions/kernel/errors.ts';
import { cancellation, type Fault, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aClick, anAdvocate, newId } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { anEmail, type ConversionInput, track } from '../../support/table/track.ts';
import { itemsOf, untilLate } from '../../support/table.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;

const WRITE = 'TransactWriteItems';
const aRequest = () => ({ by: { slug: advocate.slug, clickId: newId() }, email: anEmail() });
const times = (count: number, fault: Fault): Fault[] => Array(count).fill(fault);
const attempts = () => proxy.seen.filter((name) => name === WRITE).length;
const send = (input: ConversionInput) => track(proxied.faulty, program, input);

describe('transactions that conflict', () => {
  test.each(['TransactionConflict', 'ThrottlingError'])(
    'a conflict throws Unavailable with the last reason at the deadline, and writes nothing: %s',
    async (reason) => {
      proxy.next(WRITE, ...times(20, cancellation('ConditionalCheckFailed', reason)));
      const late = untilLate(proxied.faulty, () => attempts() === 9);
      const failed = track(late, program, aRequest());
      await expectUnchanged(table, () => expect(failed).rejects.toMatchObject({ code: 'unavailable', reason }));
      expect(attempts()).toBe(9);
    },
  );

  // DynamoDB ignores a transaction whose token it has seen, and refuses other writes under that token.
  test('only a change that may have been carried out is retried after a conflict; others are read again', async () => {
    const { slug } = await anAdvocate(table, program);
    const tokens: unknown[] = [];
    proxied.faulty.client.middlewareStack.add(
      (next, context) => (args) => {
        if (context['commandName'] === 'TransactWriteItemsCommand') tokens.push(Object(args.input).ClientRequestToken);
        return next(args);
      },
      { step: 'initialize' },
    );
    const conflict = cancellation('TransactionConflict');
    proxy.next(WRITE, conflict, cancellation('ConditionalCheckFailed'), 'lose', conflict, conflict);
    await updateAdvocate(proxied.faulty, program.id, slug, { company: 'Roe' });
    expect(proxy.seen).toEqual(['GetItem', WRITE, 'GetItem', WRITE, 'GetItem', WRITE, WRITE, WRITE, WRITE]);
    const [first, second, third] = tokens;
    expect(tokens).toEqual([first, second, third, third, third]);
    expect(new Set(tokens).size).toBe(3);
  });

  // The other transaction may be a duplicate of this request whose claim is visible before its idempotency record.
  test('a conflict is retried if a condition also failed, and only the retry decides', async () => {
    const request = aRequest();
    proxy.next(WRITE, cancellation('ConditionalCheckFailed', 'None', 'TransactionConflict'));
    expect(await send({ ...request, key: newId() })).toMatchObject({ replayed: false });
    proxy.next(WRITE, cancellation('ConditionalCheckFailed', 'TransactionConflict'));
    await expect(send(request)).rejects.toThrow(ReferralExists);
    expect(attempts()).toBe(4);
  });
});

test.each(['ItemCollectionSizeLimitExceeded', 'ValidationError'])(
  'a transaction that is cancelled for another reason does not throw Unavailable: %s',
  async (code) => {
    proxy.next(WRITE, cancellation('None', code));
    await expect(send(aRequest())).rejects.toMatchObject({ name: 'TransactionCanceledException' });
    expect(attempts()).toBe(1);
  },
);

test.each([
  ['the same transaction in progress', refusal('TransactionInProgressException')],
  ['a broken connection', 'drop' as const],
])('a transaction request that fails is retried, and finally throws Unavailable: %s', async (_, fault) => {
  proxy.next(WRITE, fault);
  expect(await send(aRequest())).toMatchObject({ replayed: false });
  proxy.next(WRITE, ...times(20, fault));
  await expectUnchanged(table, () => expect(send(aRequest())).rejects.toThrow(Unavailable));
});

describe('transactions whose response is lost', () => {
  test.each([
    ['of a click', async () => ({ by: { slug: advocate.slug, clickId: (await aClick(table, program, advocate)).id } })],
    ['with Idempotency-Key', async () => ({ ...aRequest(), key: newId() })],
  ])('a transaction whose response is lost does not conflict with itself: %s', async (_, make) => {
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
  ])(
    'a lost response causes no conflict of the transaction with itself, even if the retry meets %s',
    async (_, fault) => {
      const request = aRequest();
      proxy.next(WRITE, 'lose', fault);
      const { referral, replayed } = await send(request);
      expect([replayed, referral.email, attempts()]).toEqual([false, request.email, 3]);
      expect(expectConsistent(await itemsOf(table, program), program)).toContainEqual(referral);
    },
  );
});
