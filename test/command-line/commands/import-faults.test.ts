import type { ChildProcess } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import { Unavailable } from '../../../functions/domain/errors.ts';
import { UUIDV7_PATTERN } from '../../../functions/domain/ids.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { importedReferral } from '../../../functions/domain/referral/imported-referral.ts';
import { NOTHING_REPORTED } from '../../../functions/domain/referral/referral-fields.ts';
import { createAdvocate } from '../../../functions/table/advocates.ts';
import { advocateKey, lastPart, paymentKey, referralKey } from '../../../functions/table/keys.ts';
import { storeReferrals } from '../../../functions/table/operator/referral-import.ts';
import { createProgram } from '../../../functions/table/programs.ts';
import { runAdmin } from '../../support/admin.ts';
import { adminHere, type Imported, importing, useFiles } from '../../support/admin-here.ts';
import { cancellation, FaultyProxy, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { allItems, itemsOf, type TestTable, untilLate } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
/** A table without faults. */
const healthyTable = useTable();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;
const files = useFiles();
const engine = String(process.env['DYNAMODB_ENDPOINT']);

const WRITE = 'TransactWriteItems';
const ANY_ID = new RegExp(UUIDV7_PATTERN, 'g');
/** A referral with an email needs two writes, and a transaction contains at most 100. */
const LINES_OF_A_TRANSACTION = 50;
const RESUMABLE = 'Imported rows stay. Run the same command again to import the rest.\n';

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
    ['has a conflicting transaction', [cancellation('None', 'TransactionConflict')]],
    ['loses a response', ['lose']],
    ['drops a connection', ['drop']],
    ['loses a response, then is too busy', ['lose', ...Array(20).fill(cancellation('ThrottlingError', 'None'))]],
    ['loses a response, then is throttled', ['lose', ...Array(11).fill(refusal('ThrottlingException'))]],
  ])('a table that %s receives the same transaction again, and all lines are created', async (_, faults) => {
    const path = await newFile(3);
    proxy.next(WRITE, ...faults);
    expect(await importing(withoutPauses(), 'referral', program.id, path)).toEqual(allNew(3));
    expect(writes(proxy.seen)).toBe(3 + faults.length);
  });

  test.each([
    ['cancels every transaction', cancellation('ThrottlingError')],
    ['refuses every request', refusal('ThrottlingException')],
  ])(
    'a table that stays too busy and %s causes Unavailable at the time limit, and nothing is written',
    async (_, busy) => {
      const line = { ...NOTHING_REPORTED, id: null, customerUid: 'busy', state: 'paid' } as const;
      const times = {
        createdAt: now(),
        stateSetAt: now(),
        commissionPercentage: null,
        commissionEndDate: null,
        flags: [],
        stripeCustomer: null,
      };
      const referral = importedReferral(program, advocate, { ...line, ...times }, newId());
      proxy.next(WRITE, ...Array(150).fill(busy));
      const before = await allItems(table);
      const late = untilLate(proxied.faulty, () => writes(proxy.seen) >= 120);
      await expect(storeReferrals(late, program.id, [{ referral, hasId: false }])).rejects.toThrow(Unavailable);
      expect(writes(proxy.seen)).toBe(120);
      expect(await allItems(table)).toEqual(before);
    },
  );

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

describe('interrupted imports', () => {
  const TRANSACTIONS = 8;
  const LINES = TRANSACTIONS * LINES_OF_A_TRANSACTION;

  const run = (path: string, endpoint: string, watch?: (child: ChildProcess) => void) =>
    runAdmin(
      ['referral', 'import', '--json', '--program', program.id, '--file', path],
      { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table.name },
      watch && { watch },
    );

  /** Imports a file through a proxy, and calls `interrupt` as soon as the table has received some transactions. */
  async function interruptedImport(path: string, interrupt: (ownProxy: FaultyProxy, child: ChildProcess) => unknown) {
    const ownProxy = new FaultyProxy(engine);
    const { promise: started, resolve } = Promise.withResolvers<ChildProcess>();
    const running = run(path, await ownProxy.start(), resolve);
    while (writes(ownProxy.seen) < 3) await setImmediate();
    await interrupt(ownProxy, await started);
    const outcome = await running;
    await ownProxy.stop();
    return outcome;
  }

  /** Returns the program's items. Emails replace the ids of referrals, which are new in each import. */
  const stored = async (where: TestTable) => {
    const items = await itemsOf(where, program);
    const referrals = items.filter(({ sk }) => sk === 'REFERRAL');
    const emails = new Map(referrals.map(({ pk, email }) => [lastPart(String(pk)), String(email)]));
    const renamed = items.map((item) => JSON.stringify(item).replace(ANY_ID, (id) => emails.get(id) ?? id));
    return new Map(renamed.map((text) => JSON.parse(text)).map((item) => [item.pk, item]));
  };

  /** Imports a file completely. Returns the number of lines that had been imported before. */
  async function completed(path: string): Promise<number> {
    const { status, stdout, stderr } = await run(path, engine);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { created, skipped, failed }: Imported = JSON.parse(stdout);
    expect({ lines: created + skipped, failed }).toEqual({ lines: LINES, failed: [] });
    return skipped;
  }

  /** Expects the table to have the same content as after an import without faults. */
  async function expectConsistent(path: string): Promise<void> {
    await createProgram(healthyTable, program);
    await createAdvocate(healthyTable, program.id, advocate);
    expect(await importing(healthyTable, 'referral', program.id, path)).toEqual(allNew(TRANSACTIONS));
    expect(await stored(table)).toEqual(await stored(healthyTable));
  }

  test('Ctrl-C reports the number of created referrals, and the same command completes the import', async () => {
    const path = await newFile(TRANSACTIONS);
    const { status, stdout, stderr } = await interruptedImport(path, (_, child) => child.kill('SIGINT'));
    expect({ status, stderr }).toEqual({ status: 130, stderr: `The import was interrupted. ${RESUMABLE}` });
    const { created, ...rest }: Imported = JSON.parse(stdout);
    expect(rest).toEqual({ skipped: 0, failed: [] });
    expect(created).toBeGreaterThan(0);
    expect(created).toBeLessThan(LINES);
    expect(await completed(path)).toBe(created);
    await expectConsistent(path);
  });
});
