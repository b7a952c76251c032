import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Unavailable } from '../../../functions/domain/errors.ts';
import { makeToken } from '../../../functions/domain/token.ts';
import { callersOf } from '../../../functions/table/callers.ts';
import { listAdvocates } from '../../../functions/table/operator/lists.ts';
import { createToken, listTokens } from '../../../functions/table/operator/tokens.ts';
import { createProgram, findProgram } from '../../../functions/table/programs.ts';
import { type Fault, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, newId, now } from '../../support/program.ts';
import { listed, track } from '../../support/table/track.ts';
import { allItems, within } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const through = useFaultyProxy(table);
const { proxy } = through;

const times = (count: number, fault: Fault): Fault[] => Array(count).fill(fault);
const tries = (operation: string) => proxy.seen.filter((name) => name === operation).length;
/** For a call that hangs; what the deadline cuts off earlier on a busy machine is Unavailable too. */
const hasty = () => within(through.faulty, 300);

async function unchanged(work: () => Promise<unknown>): Promise<void> {
  const before = await allItems(table);
  await work();
  expect(await allItems(table)).toEqual(before);
}

describe('a permanent failure is Unavailable after 3 attempts', () => {
  test.each([
    ['throttling', refusal('ProvisionedThroughputExceededException')],
    ['too many requests', refusal('ThrottlingException')],
    ['a failure of DynamoDB', refusal('InternalServerError', {}, 500)],
    ['no service', refusal('ServiceUnavailable', {}, 503)],
    ['a broken connection', 'drop' as const],
  ])('%s', async (_, fault) => {
    proxy.next('GetItem', ...times(3, fault));
    await expect(findProgram(through.faulty, program.id)).rejects.toThrow(Unavailable);
    expect(tries('GetItem')).toBe(3);
  });
});

describe('a single failure is tried again', () => {
  test.each([
    ['throttling', refusal('ProvisionedThroughputExceededException')],
    ['a failure of DynamoDB', refusal('InternalServerError', {}, 500)],
    ['a broken connection', 'drop' as const],
    ['a lost response', 'lose' as const],
  ])('%s', async (_, fault) => {
    proxy.next('GetItem', fault);
    expect(await findProgram(through.faulty, program.id)).toEqual(program);
    expect(tries('GetItem')).toBe(2);
  });
});

test('a lost response to a new program or token is no failure', async () => {
  proxy.next('PutItem', 'lose');
  const created = await aProgram(through.faulty);
  proxy.next('PutItem', 'lose');
  const token = await aToken(through.faulty, created);
  expect(tries('PutItem')).toBe(4);
  expect(await callersOf(table.clock).byToken(table, token)).toEqual({ kind: 'program', program: created });
  expect(await listTokens(table, created.id)).toHaveLength(1);
});

test('a token that another program has already is not handed over', async () => {
  const token = makeToken('program', randomBytes);
  const record = {
    kind: 'program' as const,
    advocateSlug: null,
    createdAt: now(),
    expiresAt: null,
    revokedAt: null,
  };
  await createToken(table, program, token, { ...record, id: newId() });
  const other = await aProgram(table);
  await unchanged(() => expect(createToken(table, other, token, { ...record, id: newId() })).rejects.toThrow(Error));
});

describe('keys that a batch did not process are read again', () => {
  test('by a conversion', async () => {
    const click = await aClick(table, program, advocate);
    proxy.next('BatchGetItem', 'leave unprocessed');
    const said = { by: { slug: advocate.slug, clickId: click.id }, key: newId() };
    const { referral } = await track(through.faulty, program, said);
    expect(referral.id).toBe(click.id);
    expect(tries('BatchGetItem')).toBe(2);
  });

  test('by a list, in its order', async () => {
    const own = await aProgram(table);
    const made = [await anAdvocate(table, own), await anAdvocate(table, own), await anAdvocate(table, own)];
    proxy.next('BatchGetItem', 'leave unprocessed', 'leave unprocessed');
    const found = await listAdvocates(through.faulty, own.id);
    expect(found).toEqual(await listAdvocates(table, own.id));
    expect(found).toHaveLength(made.length);
    expect(tries('BatchGetItem')).toBe(3);
  });
});

describe('the deadline', () => {
  test.each([
    ['GetItem', () => findProgram(hasty(), program.id)],
    ['Query', () => listAdvocates(hasty(), program.id)],
    ['PutItem', () => createProgram(hasty(), program)],
    [
      'BatchGetItem',
      () =>
        track(hasty(), program, {
          by: { slug: advocate.slug, clickId: newId() },
        }),
    ],
  ])('ends a call that hangs with Unavailable: %s', async (operation, call) => {
    proxy.next(operation, ...times(10, 'hang'));
    await expect(call()).rejects.toThrow(Unavailable);
    expect(tries(operation)).toBeLessThanOrEqual(1);
  });

  test('ends the attempts at a throttled table with Unavailable', async () => {
    proxy.next('GetItem', ...times(10, refusal('ProvisionedThroughputExceededException')));
    await expect(findProgram(within(through.limited, 300), program.id)).rejects.toThrow(Unavailable);
  });

  test('that is past makes no request', async () => {
    const past = within(through.faulty, -1);
    const by = { slug: advocate.slug, clickId: newId() };
    await expect(findProgram(past, program.id)).rejects.toThrow(Unavailable);
    await expect(listAdvocates(past, program.id)).rejects.toThrow(Unavailable);
    await expect(track(past, program, { by })).rejects.toThrow(Unavailable);
    await expect(createProgram(past, program)).rejects.toThrow(Unavailable);
    expect(proxy.seen).toEqual([]);
  });
});

test('an error that says something of the request passes through', async () => {
  proxy.next('GetItem', refusal('ValidationException'));
  const asked = findProgram(through.faulty, program.id);
  await expect(asked).rejects.toMatchObject({ name: 'ValidationException' });
  expect(tries('GetItem')).toBe(1);
});

test('what was read before a failure is listed as before it', async () => {
  const own = await anAdvocate(table, program);
  const { id } = await aReferral(table, program, own);
  proxy.next('Query', refusal('InternalServerError', {}, 500));
  expect((await listed(through.faulty, program, own.slug)).map((row) => row.id)).toEqual([id]);
});
