import { beforeAll, describe, expect, test } from '@jest/globals';
import { Unavailable } from '../../../functions/domain/errors.ts';
import { findProgram } from '../../../functions/table/programs.ts';
import { type Fault, FaultyProxy } from '../../support/faulty-proxy.ts';
import { newId } from '../../support/program.ts';
import { rethrowInThisRealm } from '../../support/realm.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { track } from '../../support/table/track.ts';
import { itemsOf, openWithin, type TestTable, within } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();

/** Milliseconds. Without the limits of a function, the first attempt lasts so long. */
const ONE_MINUTE = 60_000;

const read = (at: TestTable) => findProgram(at, program.id);
const write = (at: TestTable) => track(at, program, { by: { slug: advocate.slug, clickId: newId() } });

/** Each waits for seconds and has a proxy of its own, so that all of them can wait at the same time. */
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

/** Returns the error of a call whose every request fails in one way, and the number of the attempts. */
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

// Each case is caught by one of the limits alone: data that keeps arriving holds off the socket timeout, and the
// request timeout ends with the headers.
describe('with the limits of a Lambda function, each of 3 attempts times out, and the result is Unavailable', () => {
  test.each<[string, Case]>([
    ['no response arrives', 'hang'],
    ['headers keep arriving without an end', 'trickle headers'],
    ['headers arrive, and then the body stalls', 'stall'],
  ])('if %s', (_, name) => {
    expect(failureOf(name)).toEqual({ error: expect.any(Unavailable), attempts: 3 });
  });

  test('also if the response to a transaction stalls: nothing is half-written', async () => {
    expect(failureOf('stalled write')?.error).toBeInstanceOf(Unavailable);
    expectConsistent(await itemsOf(table, program), program);
  });
});

test('a body that keeps arriving without an end is Unavailable at the deadline', () => {
  expect(failureOf('trickle body')?.error).toBeInstanceOf(Unavailable);
});
