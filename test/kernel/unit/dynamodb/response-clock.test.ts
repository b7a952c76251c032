import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { portOf } from '../../../../bin/local/engine.ts';
import { tokenKey } from '../../../../functions/kernel/dynamodb/keys.ts';
import { get } from '../../../../functions/kernel/dynamodb/table.ts';
import { responseClock } from '../../../../functions/kernel/operator/response-clock.ts';
import { now } from '../../../support/program.ts';
import { openTable, type TestTable } from '../../../support/table.ts';

const NOON = Date.UTC(2040, 0, 1, 12);

/** A DynamoDB that finds nothing, with the `Date` and the status of the test. */
let date: string | undefined;
let status = 200;
let received: () => void;
const server = createServer((_, outgoing) => {
  received();
  outgoing.sendDate = false;
  outgoing.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...(date && { date }) }).end('{}');
});
let table: TestTable;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
beforeEach(() => {
  date = undefined;
  status = 200;
  received = () => undefined;
  table = openTable('any', `http://127.0.0.1:${portOf(server)}`);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A clock whose machine is under control: `wait` and `sleep` let time pass, `read` sends a request. */
function controlled() {
  let [awake, asleep] = [0, 0];
  const elapsed = () => awake + asleep;
  const clock = responseClock(table.client, elapsed, () => awake);
  return {
    clock,
    wait: (duration: number) => {
      awake += duration;
    },
    sleep: (duration: number) => {
      asleep += duration;
    },
    read: (sent: string | undefined) => {
      date = sent;
      return get(table, tokenKey('any'));
    },
  };
}
const header = (moment: number) => new Date(moment).toUTCString();

test('the clock comes nearer to the truth with each response, and never goes back', async () => {
  const { clock, wait, read } = controlled();
  // The responses are sent at .999, 1.100 and 1.900: a Date is cut to the second.
  await read(header(NOON));
  wait(101);
  await read(header(NOON + 1000));
  expect(clock()).toBe(NOON + 1000);
  wait(800);
  await read(header(NOON + 1000));
  expect(clock()).toBe(NOON + 1800);
});

test.each([
  ['works', 3, undefined],
  ['sleeps', 1, 'Suspended'],
])('a request that fails while the machine %s for a minute is sent %i times', async (state, times, reason) => {
  const { wait, sleep } = controlled();
  let requests = 0;
  received = () => {
    requests += 1;
    if (requests === 1) (state === 'works' ? wait : sleep)(60_000);
  };
  status = 503;
  await expect(get(table, tokenKey('any'))).rejects.toMatchObject({ code: 'unavailable', reason });
  expect(requests).toBe(times);
});

test.each([undefined, 'yesterday'])('the clock is the clock of this machine after the Date %s', async (sent) => {
  const { clock, read } = controlled();
  const before = now() * 1000;
  await read(sent);
  expect(clock()).toBeGreaterThanOrEqual(before);
  expect(clock()).toBeLessThanOrEqual(now() * 1000 + 1000);
});
