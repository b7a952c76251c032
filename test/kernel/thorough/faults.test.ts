import { describe, expect, test } from '@jest/globals';
import { callersOf } from '../../../functions/kernel/accounts/table/callers.ts';
import { createProgram, findProgram } from '../../../functions/kernel/accounts/table/programs.ts';
import { Unavailable } from '../../../functions/kernel/errors.ts';
import { listAdvocates } from '../../../functions/kernel/operator/lists.ts';
import { listTokens } from '../../../functions/program/operator/tokens.ts';
import { type Fault, FaultyProxy, refusal, rethrowInThisRealm, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { anAdvocate, aProgram, aToken, newId } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { recorderAt } from '../../support/table/controlled-clock.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { itemsOf, openTable, type TestTable, within } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;

const times = (count: number, fault: Fault): Fault[] => Array(count).fill(fault);
const attempts = (operation: string) => proxy.seen.filter((name) => name === operation).length;

/**
 * Runs work whose requests of an operation hang, on a proxy of its own: on a busy machine, a request may arrive after its
 * test, and another test would count it. Returns the result or the error, and the number of attempts.
 */
async function hanging(operation: string, work: (at: TestTable) => Promise<unknown>) {
  const own = new FaultyProxy(process.env['DYNAMODB_ENDPOINT'] ?? '');
  const at = openTable(table.name, await own.start());
  rethrowInThisRealm(at);
  own.next(operation, ...times(10, 'hang'));
  const result = await work(at).catch((error: unknown) => error);
  at.client.destroy();
  await own.stop();
  return { result, attempts: own.seen.filter((name) => name === operation).length };
}

test.each([
  ['throttling', refusal('ProvisionedThroughputExceededException')],
  ['a failure of DynamoDB', refusal('InternalServerError', {}, 500)],
  ['an unknown refusal with 429', refusal('TooManyRequests', {}, 429)],
  ['a broken connection', 'drop' as const],
])('a permanent failure throws Unavailable after 3 attempts: %s', async (_, fault) => {
  proxy.next('GetItem', ...times(3, fault));
  await expect(findProgram(proxied.faulty, program.id)).rejects.toThrow(Unavailable);
  expect(attempts('GetItem')).toBe(3);
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

test('a list reads unprocessed keys again and keeps its order', async () => {
  const own = await aProgram(table);
  const created = [await anAdvocate(table, own), await anAdvocate(table, own), await anAdvocate(table, own)];
  proxy.next('BatchGetItem', 'leave unprocessed', 'leave unprocessed');
  const found = await listAdvocates(proxied.faulty, own.id);
  expect(found).toEqual(await listAdvocates(table, own.id));
  expect(found).toHaveLength(created.length);
  expect(attempts('BatchGetItem')).toBe(3);
});

describe('the deadline', () => {
  test.each<[string, (at: TestTable) => Promise<unknown>]>([
    ['GetItem', (at) => findProgram(at, program.id)],
    ['BatchGetItem', (at) => track(at, program, { by: { slug: advocate.slug, clickId: newId() } })],
  ])('the deadline ends a hanging request with Unavailable: %s', async (operation, call) => {
    // The deadline may pass before the request is sent.
    const { result, attempts } = await hanging(operation, (at) => call(within(at, 300)));
    expect(result).toBeInstanceOf(Unavailable);
    expect(attempts).toBeLessThanOrEqual(1);
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

describe.each<[string, Fault]>([
  ['an HTML page with status 200', { page: 200 }],
  ['an HTML page with status 502', { page: 502 }],
  ['half of the JSON with a content-length of half', 'truncate'],
  ['half of the JSON with the full content-length', 'break off'],
])('%s instead of a response from the table', (_, fault) => {
  const OPERATIONS = ['GetItem', 'TransactWriteItems', 'PutItem'];
  const aRequest = () => ({ by: { slug: advocate.slug, clickId: newId() }, email: anEmail(), key: newId() });
  const clickOnLink = () => ({ publicKey: program.publicKey, slug: advocate.slug, clickId: newId(), subId: null });

  test('a read, a conversion and a click are retried, and stored once', async () => {
    const request = aRequest();
    for (const operation of OPERATIONS) proxy.next(operation, fault);
    expect(await findProgram(proxied.faulty, program.id)).toEqual(program);
    const { referral, replayed } = await track(proxied.faulty, program, request);
    expect(replayed).toBe(false);
    expect(expectConsistent(await itemsOf(table, program), program)).toContainEqual(referral);
    expect(await recorderAt(proxied.faulty).record(clickOnLink())).toBe('recorded');
    expect(OPERATIONS.map(attempts)).toEqual([2, 2, 2]);
  });

  test('a wrong response at every attempt throws Unavailable and leaves no partial write', async () => {
    const [request, click] = [aRequest(), clickOnLink()];
    for (const operation of OPERATIONS) proxy.next(operation, ...times(3, fault));
    await expect(findProgram(proxied.faulty, program.id)).rejects.toThrow(Unavailable);
    await expect(track(proxied.faulty, program, request)).rejects.toThrow(Unavailable);
    await expect(recorderAt(proxied.faulty).record(click)).rejects.toThrow(Unavailable);
    expect(OPERATIONS.map(attempts)).toEqual([3, 3, 3]);
    expectConsistent(await itemsOf(table, program), program);
    // A web page replaces the request; a partial response means that the request was executed.
    const wasExecuted = typeof fault === 'string';
    expect(await track(table, program, request)).toMatchObject({ replayed: wasExecuted });
    expect(await recorderAt(table).record(click)).toBe(wasExecuted ? 'known' : 'recorded');
  });
});

describe('warming up', () => {
  test('warming up never fails if the table does not respond', async () => {
    expect((await hanging('GetItem', ({ connection }) => connection.warmUp())).result).toBeUndefined();
  });

  test('warming up never fails if the table denies access', async () => {
    proxy.next('GetItem', ...times(3, refusal('AccessDeniedException')));
    await expect(proxied.faulty.connection.warmUp()).resolves.toBeUndefined();
  });
});
