import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { newReferral, type Referral } from '../../../functions/domain/referral/referral.ts';
import { createAdvocate } from '../../../functions/table/advocates.ts';
import { emailKey } from '../../../functions/table/keys.ts';
import { storeReferrals } from '../../../functions/table/operator/referral-import.ts';
import { createProgram } from '../../../functions/table/programs.ts';
import { toReferralItem } from '../../../functions/table/referrals/referral-item.ts';
import { runAdmin } from '../../support/admin.ts';
import { type Imported, importing, useFiles } from '../../support/admin-here.ts';
import { conversionOf } from '../../support/conversion.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext, interleaved } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { itemsOf } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
/** For thousands of items, because the other tests read the complete table, some of them many times. */
const largeTable = useTable();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;
const file = useFiles();

let program: Program;
let jane: Advocate;
beforeEach(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program, { slug: 'jane' });
});

const imported = async (content: string, at = table) => importing(at, 'referral', program.id, await file(content));
const HEADER = 'advocate_slug,state,email,uid';
const people = (count: number) => [
  HEADER,
  ...Array.from({ length: count }, (_, index) => `jane,paid,c${index}@shop.example,`),
];
/** Returns the items of the program's referrals and claims. */
const stored = async (at = table) => (await itemsOf(at, program)).filter(({ sk }) => sk !== 'ADVOCATE');
const referrals = async () => (await stored()).filter(({ sk }) => sk === 'REFERRAL');

describe('lines whose customer already has a referral', () => {
  const email = 'ann@shop.example';
  const uid = 'cus_1';
  const failed = (name: string) => ({
    created: 0,
    skipped: 0,
    failed: [{ line: 2, reason: `${name} belongs to another referral` }],
  });
  const skipped = { created: 0, skipped: 1, failed: [] };

  test.each([
    [{ email }, `${email},`, skipped],
    [{ email }, ' Ann@SHOP.example ,', skipped],
    [{ email, customerUid: uid }, `${email},`, skipped],
    [{ email, customerUid: uid }, `,${uid}`, skipped],
    [{ email, customerUid: uid }, `${email},${uid}`, skipped],
    [{ email: null, customerUid: uid }, `,${uid}`, skipped],
    [{ email }, `${email},${uid}`, failed('email')],
    [{ email, customerUid: uid }, `${email},CUS_1`, failed('email')],
    [{ email, customerUid: uid }, `bob@shop.example,${uid}`, failed('uid')],
    [{ email: null, customerUid: uid }, `${email},${uid}`, failed('uid')],
  ])('a line of a known customer is skipped or fails: %j, then "%s"', async (customer, line, report) => {
    const { id } = await aReferral(table, program, jane, customer);
    expect(await imported(`${HEADER}\njane,churned,${line}`)).toEqual(report);
    expect((await referrals()).map(({ created }) => String(created).slice(-36))).toEqual([id]);
  });

  test('a line of a known customer fails if it is of another advocate', async () => {
    await aReferral(table, program, await anAdvocate(table, program), { email });
    expect(await imported(`${HEADER}\njane,paid,${email},`)).toEqual(failed('email'));
  });

  test('a line of a known customer fails if email and uid belong to different referrals of its advocate', async () => {
    await aReferral(table, program, jane, { email });
    await aReferral(table, program, jane, { email: null, customerUid: uid });
    expect(await imported(`${HEADER}\njane,paid,${email},${uid}`)).toEqual(failed('uid'));
  });

  test('a line of a known customer fails if its id differs', async () => {
    await aReferral(table, program, jane, { email });
    expect(await imported(`id,${HEADER}\n${newId()},jane,paid,${email},`)).toEqual(failed('email'));
  });

  test('a second line of a customer is skipped, in one transaction or far apart', async () => {
    const lines = people(60);
    const content = [...lines, lines[60], lines[60], lines[1]].join('\n');
    expect(await imported(content)).toEqual({ created: 60, skipped: 3, failed: [] });
    expect(await imported(content)).toEqual({ created: 0, skipped: 63, failed: [] });
    expect(await referrals()).toHaveLength(60);
  });
});

test('only a repeated import reads referrals, with one request per transaction', async () => {
  const content = people(120).join('\n');
  const reads = () => proxy.seen.filter((operation) => /Get|Query|Scan/.test(operation));
  // The reads of the program and the advocate.
  const always = ['GetItem', 'BatchGetItem'];
  expect(await imported(content, proxied.faulty)).toMatchObject({ created: 120 });
  expect(reads()).toEqual(always);
  proxy.reset();
  expect(await imported(content, proxied.faulty)).toMatchObject({ skipped: 120 });
  // A referral with an email needs two writes, and a transaction contains at most 100.
  expect(reads()).toEqual([...always, ...Array(3).fill('BatchGetItem')]);
});

test('two processes that import one file at the same time create each person once', async () => {
  const path = await file([...people(1000), ...people(3).slice(1)].join('\n'));
  const environment = { DYNAMODB_ENDPOINT: String(process.env['DYNAMODB_ENDPOINT']), TABLE_NAME: largeTable.name };
  await createProgram(largeTable, program);
  await createAdvocate(largeTable, program.id, jane);
  const args = ['referral', 'import', '--json', '--program', program.id, '--file', path];
  const ends = await Promise.all([runAdmin(args, environment), runAdmin(args, environment)]);
  for (const { status, stderr } of ends) expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const reports: Imported[] = ends.map(({ stdout }) => JSON.parse(stdout));
  const total = (name: 'created' | 'skipped') => reports.reduce((sum, report) => sum + report[name], 0);
  expect([total('created'), total('skipped')]).toEqual([1000, 1006]);
  expect(await stored(largeTable)).toHaveLength(2000);
});

/** Stores referrals as an import does, with new ids. */
const store = (...newReferrals: Referral[]) =>
  storeReferrals(
    table,
    program.id,
    newReferrals.map((referral) => ({ referral: { ...referral, id: newId() }, hasId: false })),
  );

test('two imports with interleaved requests create each person once', async () => {
  const newReferrals = ['a', 'b', 'c'].map((uid) => {
    const conversion = conversionOf({ email: `${uid}@shop.example`, customerUid: uid }, 'import');
    return newReferral(newId(), { program, target: jane, ...conversion, now: now() });
  });
  const run = async (scheduler: fc.Scheduler) => {
    program = await aProgram(table);
    // The repeated people in the first import need a separate transaction.
    const imports = () =>
      [[...newReferrals, ...newReferrals], newReferrals.toReversed()].map((people) => store(...people));
    const outcomes = await interleaved(scheduler, table, async () => (await Promise.all(imports())).flat());
    expect(outcomes.toSorted()).toEqual([...Array(3).fill('created'), ...Array(6).fill('known')]);
    expect(expectConsistent(await itemsOf(table, program), program)).toHaveLength(3);
  };
  await fc.assert(fc.asyncProperty(fc.scheduler(), run), { numRuns: 15 });
});

describe('claims that are visible before their referral', () => {
  const put = (Item: object) => table.client.send(new PutCommand({ TableName: table.name, Item }));
  /** Creates a referral whose item is not stored yet. */
  const pending = async (email: string) => {
    const other = await aProgram(table);
    const referral = await aReferral(table, other, jane, { email });
    await put({ ...emailKey(program.id, email), referral: referral.id });
    return referral;
  };

  test('a claim is reported as known as soon as its referral is visible', async () => {
    const referral = await pending('late@shop.example');
    const show = () => put(toReferralItem(program.id, referral));
    beforeNext(table, 'BatchGetItemCommand', async () => {
      beforeNext(table, 'BatchGetItemCommand', show);
    });
    expect(await store(referral)).toEqual(['known']);
  });

  test('a claim is reported as taken if its referral never becomes visible', async () => {
    const referral = await pending('never@shop.example');
    expect(await store(referral)).toEqual(['email taken']);
  });
});
