import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Unavailable } from '../../../functions/domain/errors.ts';
import { seconds } from '../../../functions/domain/time.ts';
import { makeToken, newToken } from '../../../functions/domain/token.ts';
import { callersOf } from '../../../functions/table/callers.ts';
import { listAdvocates } from '../../../functions/table/operator/lists.ts';
import { listTokens } from '../../../functions/table/operator/tokens.ts';
import { createProgram, findProgram } from '../../../functions/table/programs.ts';
import { createToken } from '../../../functions/table/tokens.ts';
import { type Fault, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, newId, now } from '../../support/program.ts';
import { listed, track } from '../../support/table/track.ts';
import { allItems, within } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;

const times = (count: number, fault: Fault): Fault[] => Array(count).fill(fault);
const attempts = (operation: string) => proxy.seen.filter((name) => name === operation).length;
/** Has a short deadline, for requests that hang. On a busy machine, an earlier timeout also throws Unavailable. */
const withDeadline = () => within(proxied.faulty, 300);

async function expectUnchanged(work: () => Promise<unknown>): Promise<void> {
  const before = await allItems(table);
  await work();
  expect(await allItems(table)).toEqual(before);
}

describe('permanent failures', () => {
  test.each([
    ['throttling', refusal('ProvisionedThroughputExceededException')],
    ['too many requests', refusal('ThrottlingException')],
    ['a failure of DynamoDB', refusal('InternalServerError', {}, 500)],
    ['an unavailable service', refusal('ServiceUnavailable', {}, 503)],
    ['an unknown refusal with 429', refusal('TooManyRequests', {}, 429)],
    ['a broken connection', 'drop' as const],
  ])('a permanent failure throws Unavailable after 3 attempts: %s', async (_, fault) => {
    proxy.next('GetItem', ...times(3, fault));
    await expect(findProgram(proxied.faulty, program.id)).rejects.toThrow(Unavailable);
    expect(attempts('GetItem')).toBe(3);
  });
});

describe('single failures', () => {
  test.each([
    ['throttling', refusal('ProvisionedThroughputExceededException')],
    ['a failure of DynamoDB', refusal('InternalServerError', {}, 500)],
    ['a broken connection', 'drop' as const],
    ['a lost response', 'lose' as const],
  ])('a single failure is retried: %s', async (_, fault) => {
    proxy.next('GetItem', fault);
    expect(await findProgram(proxied.faulty, program.id)).toEqual(program);
    expect(attempts('GetItem')).toBe(2);
  });
});

test('a new program or token is created once if the response is lost', async () => {
  proxy.next('PutItem', 'lose');
  const created = await aProgram(proxied.faulty);
  proxy.next('PutItem', 'lose');
  const token = await aToken(proxied.faulty, created);
  expect(attempts('PutItem')).toBe(4);
  expect(await callersOf(table.clock).byToken(table, token)).toMatchObject({ kind: 'program', program: created });
  expect(await listTokens(table, created.id)).toHaveLength(1);
});

test('an affiliate token is created once if the response is lost, with the expiry of the first attempt', async () => {
  const own = await aProgram(table);
  const expiresAt = seconds(now() + 3600);
  proxy.next('PutItem', 'lose');
  const token = await aToken(proxied.faulty, own, await anAdvocate(table, own), expiresAt);
  expect(attempts('PutItem')).toBe(2);
  expect(await callersOf(table.clock).byToken(table, token)).toMatchObject({ kind: 'affiliate' });
  expect(await listTokens(table, own.id)).toMatchObject([{ expiresAt }]);
});

test('a token of another program cannot be created again', async () => {
  const token = makeToken('program', randomBytes);
  await createToken(table, program, token, newToken({}, newId(), now()));
  const other = await aProgram(table);
  await expectUnchanged(() =>
    expect(createToken(table, other, token, newToken({}, newId(), now()))).rejects.toThrow(Error),
  );
});

describe('keys that a batch did not process', () => {
  test('a conversion reads unprocessed keys again', async () => {
    const click = await aClick(table, program, advocate);
    proxy.next('BatchGetItem', 'leave unprocessed');
    const input = { by: { slug: advocate.slug, clickId: click.id }, key: newId() };
    const { referral } = await track(proxied.faulty, program, input);
    expect(referral.id).toBe(click.id);
    expect(attempts('BatchGetItem')).toBe(2);
  });

  test('a list reads unprocessed keys again and keeps its order', async () => {
    const own = await aProgram(table);
    const created = [await anAdvocate(table, own), await anAdvocate(table, own), await anAdvocate(table, own)];
    proxy.next('BatchGetItem', 'leave unprocessed', 'leave unprocessed');
    const found = await listAdvocates(proxied.faulty, own.id);
    expect(found).toEqual(await listAdvocates(table, own.id));
    expect(found).toHaveLength(created.length);
    expect(attempts('BatchGetItem')).toBe(3);
  });
});

describe('the deadline', () => {
  test.each([
    ['GetItem', () => findProgram(withDeadline(), program.id)],
    ['Query', () => listAdvocates(withDeadline(), program.id)],
    ['PutItem', () => createProgram(withDeadline(), program)],
    [
      'BatchGetItem',
      () =>
        track(withDeadline(), program, {
          by: { slug: advocate.slug, clickId: newId() },
        }),
    ],
  ])('the deadline ends a hanging request with Unavailable: %s', async (operation, call) => {
    proxy.next(operation, ...times(10, 'hang'));
    await expect(call()).rejects.toThrow(Unavailable);
    expect(attempts(operation)).toBeLessThanOrEqual(1);
  });

  test('the deadline ends the retries of a throttled request with Unavailable', async () => {
    proxy.next('GetItem', ...times(10, refusal('ProvisionedThroughputExceededException')));
    await expect(findProgram(within(proxied.limited, 300), program.id)).rejects.toThrow(Unavailable);
  });

  test('the deadline prevents every request once it has passed', async () => {
    const past = within(proxied.faulty, -1);
    const by = { slug: advocate.slug, clickId: newId() };
    await expect(findProgram(past, program.id)).rejects.toThrow(Unavailable);
    await expect(listAdvocates(past, program.id)).rejects.toThrow(Unavailable);
    await expect(track(past, program, { by })).rejects.toThrow(Unavailable);
    await expect(createProgram(past, program)).rejects.toThrow(Unavailable);
    expect(proxy.seen).toEqual([]);
  });
});

test('an error caused by the request itself is rethrown without a retry', async () => {
  proxy.next('GetItem', refusal('ValidationException'));
  const result = findProgram(proxied.faulty, program.id);
  await expect(result).rejects.toMatchObject({ name: 'ValidationException' });
  expect(attempts('GetItem')).toBe(1);
});

test('a list is complete after a failed query is retried', async () => {
  const own = await anAdvocate(table, program);
  const { id } = await aReferral(table, program, own);
  proxy.next('Query', refusal('InternalServerError', {}, 500));
  expect((await listed(proxied.faulty, program, own.slug)).map((row) => row.id)).toEqual([id]);
});
