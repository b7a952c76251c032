import { beforeAll, describe, expect, test } from '@jest/globals';
import { findProgram } from '../../../functions/kernel/accounts/table/programs.ts';
import { Unavailable } from '../../../functions/kernel/errors.ts';
import { type Fault, FaultyProxy, rethrowInThisRealm } from '../../support/faulty-proxy.ts';
import { newId } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { track } from '../../support/table/track.ts';
import { itemsOf, openWithin, type TestTable, within } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();

/** In milliseconds. Without the time limits of a function, the first attempt would last this long. */
const ONE_MINUTE = 60_000;

const read = (at: TestTable) => findProgram(at, program.id);
const write = (at: TestTable) => track(at, program, { by: { slug: advocate.slug, clickId: newId() } });

/** Each case waits for seconds and has its own proxy, so that all cases can run at the same time. */
const CASES = {
  hang: () => failure('GetItem', 'hang', ONE_MINUTE, read),
  'trickle headers': () => failure('GetItem', 'trickle headers', ONE_MINUTE, read),
  stall: () => failure('GetItem', 'stall', ONE_MINUTE, read),
  'trickle body': () => failure('GetItem', 'trickle body', 2000, read),
  'stalled write': () => failure('TransactWriteItems', 'stall', ONE_MINUTE, write),
};
type Case = keyof typeof CASES;
const failures = new Map<string, Awaited<ReturnType<typeof failure>>>();
beforeAll(async () => {
  const start = async ([name, fail]: [string, () => ReturnType<typeof failure>]) => failures.set(name, await fail());
  await Promise.all(Object.entries(CASES).map(start));
});
const failureOf = (name: Case) => failures.get(name);

/** Returns the error of work whose requests all have the same fault, and the number of attempts. */
async function failure(operation: string, fault: Fault, limit: number, call: (at: TestTable) => Promise<unknown>) {
  const proxy = new FaultyProxy(process.env['DYNAMODB_ENDPOINT'] ?? '');
  const limited = openWithin(undefined, table.name, await proxy.start());
  rethrowInThisRealm(limited);
  proxy.next(operation, ...Array(10).fill(fault));
  const error = await call(within(limited, limit)).catch((reason: unknown) => reason);
  limited.client.destroy();
  await proxy.stop();
  return { error, attempts: proxy.seen.filter((name) => name === operation).length };
}

// Only one limit can end each case: data that keeps arriving prevents the socket timeout, and the request timeout
// no longer applies once the headers have arrived.
describe('the limits of a Lambda function', () => {
  test.each<[string, Case]>([
    ['no response arrives', 'hang'],
    ['the headers never end', 'trickle headers'],
    ['the body stalls after the headers', 'stall'],
  ])('all 3 attempts time out and the request throws Unavailable if %s', (_, name) => {
    expect(failureOf(name)).toEqual({ error: expect.any(Unavailable), attempts: 3 });
  });

  test('a stalled response to a transaction throws Unavailable, and no partial write is left', async () => {
    expect(failureOf('stalled write')?.error).toBeInstanceOf(Unavailable);
    expectConsistent(await itemsOf(table, program), program);
  });
});

test('a body that never ends causes Unavailable at the deadline', () => {
  expect(failureOf('trickle body')?.error).toBeInstanceOf(Unavailable);
});
