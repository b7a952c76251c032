import type { ChildProcess } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { advocateKey, paymentKey, referralKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { Unavailable } from '../../../functions/kernel/errors.ts';
import { storeReferrals } from '../../../functions/referrals/operator/referral-import.ts';
import { importedReferral } from '../../../functions/referrals/rules/imported-referral.ts';
import { NOTHING_REPORTED } from '../../../functions/referrals/rules/referral-fields.ts';
import { runAdmin } from '../../support/admin.ts';
import { adminHere, type Imported, importing, useFiles } from '../../support/admin-here.ts';
import { attributed } from '../../support/conversion.ts';
import { cancellation, FaultyProxy, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { itemsOf, untilLate } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;
const files = useFiles();
const engine = String(process.env['DYNAMODB_ENDPOINT']);

const WRITE = 'TransactWriteItems';
/** A referral with an email needs two writes, and a transaction contains at most 100. */
const LINES_OF_A_TRANSACTION = 50;

let program: Program;
let advocate: Advocate;
beforeEach(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program, { slug: 'jane' });
});

/** Creates a file of referrals whose import needs this number of transactions. */
async function newFile(transactions: number): Promise<string> {
  const states = ['converted', 'paid', 'churned', 'rejected'];
  const line = (_: unknown, index: number) =>
    `jane,c${index}@shop.example,${states[index % 4]},${1_700_000_000 + index}`;
  const lines = Array.from({ length: transactions * LINES_OF_A_TRANSACTION }, line);
  return files(['advocate_slug,email,state,created_at', ...lines].join('\n'));
}

const writes = (seen: readonly string[]) => seen.filter((operation) => operation === WRITE).length;
const allNew = (transactions: number) => ({
  created: transactions * LINES_OF_A_TRANSACTION,
  skipped: 0,
  failed: [],
});
/** Has no pauses between attempts. */
const withoutPauses = () => proxied.faulty.but({ pause: async () => undefined });

describe('tables with faults', () => {
  test.each([
    ['is too busy', Array(20).fill(cancellation('ThrottlingError', 'None'))],
    ['loses a response', ['lose']],
    ['drops a connection', ['drop']],
    ['loses a response, then is too busy', ['lose', ...Array(20).fill(cancellation('ThrottlingError', 'None'))]],
  ])('a table that %s receives the same transaction again, and all lines are created', async (_, faults) => {
    const path = await newFile(3);
    proxy.next(WRITE, ...faults);
    expect(await importing(withoutPauses(), 'referral', program.id, path)).toEqual(allNew(3));
    expect(writes(proxy.seen)).toBe(3 + faults.length);
  });

  test('a table that stays too busy causes Unavailable at the time limit, and nothing is written', async () => {
    const line = { ...NOTHING_REPORTED, id: null, customerUid: 'busy', state: 'paid' } as const;
    const times = {
      createdAt: now(),
      stateSetAt: now(),
      convertedAt: null,
      commissionPercentage: null,
      commissionRulesId: null,
      commissionEndDate: null,
    };
    const row = { ...line, ...times, flags: [], stripeCustomer: null };
    const referral = importedReferral(program, attributed(program, advocate), row, newId());
    proxy.next(WRITE, ...Array(150).fill(cancellation('ThrottlingError')));
    const late = untilLate(proxied.faulty, () => writes(proxy.seen) >= 120);
    await expectUnchanged(table, async () => {
      await expect(storeReferrals(late, program.id, [{ referral, hasId: false }])).rejects.toThrow(Unavailable);
    });
    expect(writes(proxy.seen)).toBe(120);
  });
});

describe('errors that the code does not expect', () => {
  const put = (Item: object) => table.client.send(new PutCommand({ TableName: table.name, Item }));
  const reason = (error: string) =>
    `the line causes an unexpected error (${error}): report it, and import the line again after an update`;
  const ID = newId();
  /** Files whose fourth line is about an item that nobody can read. */
  const KINDS = {
    advocate: 'email,slug\na@x.example,a\nb@x.example,b\nb@x.example,broken\nc@x.example,c\n',
    referral: `id,advocate_slug,email,state\n,jane,a@x.example,paid\n,jane,,clicked\n${ID},jane,b@x.example,paid\n,jane,c@x.example,paid\n`,
    ledger: `payment_id,uid,amount_minor,currency,paid_at
a,ana,100,usd,1700000000\nb,ana,100,usd,1700000000\nbroken,ana,100,usd,1700000000\nc,ana,100,usd,1700000000\n`,
  } as const;
  const NOUNS = ['advocate', 'referral', 'ledger'] as const;
  beforeEach(async () => {
    await aReferral(table, program, advocate, { customerUid: 'ana' });
  });

  test.each(NOUNS)('an item that %s import cannot read fails its line, and no other', async (noun) => {
    await put({ ...advocateKey(program.id, 'broken') });
    await put({ ...referralKey(program.id, ID) });
    await put({ ...paymentKey(program.id, 'broken'), amount: 'many' });
    const path = await files(KINDS[noun]);
    const failed = [{ line: 4, reason: reason('MalformedItem') }];
    expect(await importing(table, noun, program.id, path, '--dry-run')).toEqual({ created: 3, skipped: 0, failed });
    expect(await importing(table, noun, program.id, path)).toEqual({ created: 3, skipped: 0, failed });
    expect(await importing(table, noun, program.id, path)).toEqual({ created: 0, skipped: 3, failed });
  });

  test.each(NOUNS)('a line whose content DynamoDB refuses in %s import fails, and no other', async (noun) => {
    proxy.next(WRITE, cancellation('ValidationError'), refusal('ValidationException'));
    const imported = await importing(proxied.faulty, noun, program.id, await files(KINDS[noun]));
    expect(imported).toEqual({ created: 3, skipped: 0, failed: [{ line: 2, reason: reason('ValidationException') }] });
  });

  test.each(NOUNS)('a table that refuses all requests stops %s import at its first write', async (noun) => {
    proxy.next(WRITE, refusal('AccessDeniedException'));
    const args = [noun, 'import', '--program', program.id, '--file', await files(KINDS[noun])];
    const { status, stderr } = await adminHere(proxied.faulty, ...args);
    expect([status, stderr]).toEqual([1, expect.stringContaining('(AccessDeniedException)')]);
    expect(writes(proxy.seen)).toBe(1);
  });
});

test.each([
  ['Ctrl-C', 130, /^The import was interrupted\./, async (_: FaultyProxy, child: ChildProcess) => child.kill('SIGINT')],
  ['an engine that stops', 1, /^No DynamoDB responds at [^\n]*\./, (ownProxy: FaultyProxy) => ownProxy.stop()],
])('after %s, the same command completes the import', async (_, exitStatus, reason, interrupt) => {
  const TRANSACTIONS = 8;
  const path = await newFile(TRANSACTIONS);
  const run = (endpoint: string, watch?: (child: ChildProcess) => void) =>
    runAdmin(
      ['referral', 'import', '--json', '--program', program.id, '--file', path],
      { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table.name },
      watch && { watch },
    );
  const ownProxy = new FaultyProxy(engine);
  const { promise: started, resolve } = Promise.withResolvers<ChildProcess>();
  const running = run(await ownProxy.start(), resolve);
  while (writes(ownProxy.seen) < 3) await setImmediate();
  await interrupt(ownProxy, await started);
  const { status, stdout, stderr } = await running;
  await ownProxy.stop();
  expect(status).toBe(exitStatus);
  expect(stderr).toMatch(reason);
  expect(stderr).toMatch(/\. Imported rows stay\. Run the same command again to import the rest\.\n$/);
  const { created, ...rest }: Imported = JSON.parse(stdout);
  expect(rest).toEqual({ skipped: 0, failed: [] });
  expect(created).toBeGreaterThan(0);
  const lines = TRANSACTIONS * LINES_OF_A_TRANSACTION;
  expect(created).toBeLessThan(lines);
  const second = await run(engine);
  expect({ status: second.status, stderr: second.stderr }).toEqual({ status: 0, stderr: '' });
  const completed: Imported = JSON.parse(second.stdout);
  expect({ lines: completed.created + completed.skipped, failed: completed.failed }).toEqual({ lines, failed: [] });
  // The engine may have written rows whose response was lost.
  expect(completed.skipped).toBeGreaterThanOrEqual(created);
  // Each referral has a claim of its email, and the advocate is findable by its own.
  expect(await itemsOf(table, program)).toHaveLength(2 * lines + 2);
});
