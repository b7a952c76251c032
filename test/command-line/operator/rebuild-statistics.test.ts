import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { NO_NUMBERS } from '../../../functions/kernel/accounts/rules/totals.ts';
import { CUSTOMERS, readAllTotals, readTotals } from '../../../functions/kernel/accounts/table/totals.ts';
import { dayOf } from '../../../functions/kernel/days.ts';
import { type Key, statisticsKey, totalsKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { DAY, milliseconds, secondOf, seconds } from '../../../functions/kernel/time.ts';
import { recordPayment } from '../../../functions/ledger/table/payments.ts';
import { recordSettlement } from '../../../functions/ledger/table/settlements.ts';
import { createMissingTable } from '../../../functions/operator/create-table.ts';
import { importNotes } from '../../../functions/referrals/operator/import-note.ts';
import { eraseReferral, reassignReferral, setReferralState } from '../../../functions/referrals/table/referrals.ts';
import { correct, settledDifferences } from '../../../functions/statistics/operator/statistics.ts';
import { adminHere, adminWith, importing, jsonHere, useFiles } from '../../support/admin-here.ts';
import { sendToHandlers } from '../../support/drivers.ts';
import { ledgerOf, paymentOf } from '../../support/ledger/ledger.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken } from '../../support/program.ts';
import { countStream, numbersOn } from '../../support/statistics/statistics.ts';
import { move, set } from '../../support/table/situations.ts';
import { track } from '../../support/table/track.ts';
import { atTime, type TestTable } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
beforeAll(() => createMissingTable(table, { stream: true }));
const file = useFiles();

/** 2026-03-10T12:00:00Z. */
const NOW = Date.parse('2026-03-10T12:00:00Z');
const daysAgo = (days: number) => atTime(table, () => milliseconds(NOW - days * DAY * 1000));
const dateOf = (days: number) => new Date(NOW - days * DAY * 1000).toISOString().slice(0, 10);
let program: Program;
let jane: Advocate;
let john: Advocate;
beforeEach(async () => {
  program = await aProgram(daysAgo(20), {});
  [jane, john] = [
    await anAdvocate(table, program, { slug: 'jane' }),
    await anAdvocate(table, program, { slug: 'john' }),
  ];
});

const at = (on: TestTable, ...args: string[]) =>
  adminWith({ table: on, clock: on.clock }, 'statistics', ...args, '--program', program.id, '--json');
const rebuild = async (...args: string[]) => {
  const { status, stdout, stderr } = await at(daysAgo(0), 'rebuild', ...args);
  return { status, stderr, differences: JSON.parse(stdout || 'null') };
};
const difference = (days: number, slug: string | null, kind: string, stored: number, computed: number) => {
  const day = dateOf(days);
  return { month: day.slice(0, 7), day, slug, kind, stored, computed };
};
const add = (key: Key, attribute: string, by: number) =>
  table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: { ...key },
      UpdateExpression: 'ADD #number :by',
      ExpressionAttributeNames: { '#number': attribute },
      ExpressionAttributeValues: { ':by': by },
    }),
  );
/** Adds to a stored number, and to its total. */
async function tamper(days: number, slug: string | null, letter: string, by: number): Promise<void> {
  await add(statisticsKey(program.id, dateOf(days).slice(0, 7), slug), `${letter}${dateOf(days).slice(8)}`, by);
  await add(totalsKey(program.id, slug), letter, by);
}

/** A customer who clicks 15 days ago, and a history on later days. */
async function aLife() {
  const createdAt = seconds(NOW / 1000 - 15 * DAY);
  const click = await aClick(table, program, jane, { createdAt, stateSetAt: createdAt, updatedAt: createdAt });
  const { referral } = await track(daysAgo(12), program, { by: { slug: jane.slug, clickId: click.id } });
  const set = (days: number, state: 'paid' | 'churned') =>
    setReferralState(daysAgo(days), program.id, referral.id, { state, actor: 'merchant' });
  await set(9, 'paid');
  const customer = { id: referral.id, email: null, uid: null };
  await reassignReferral(daysAgo(8), program, customer, { slug: john.slug, actor: 'merchant' });
  await set(6, 'churned');
  await set(5, 'paid');
}

describe('statistics rebuild', () => {
  test('a rebuild restores the numbers of days that are over, and a second one finds nothing to do', async () => {
    await aLife();
    const expected = [
      { month: null, day: null, slug: 'john', kind: 'customers', stored: 0, computed: 1 },
      difference(15, null, 'clicks', 0, 1),
      difference(15, 'jane', 'clicks', 0, 1),
      difference(12, null, 'conversions', 0, 1),
      difference(12, 'jane', 'conversions', 0, 1),
      difference(9, null, 'paying', 0, 1),
      difference(9, 'jane', 'paying', 0, 1),
      difference(6, null, 'churned', 0, 1),
      difference(6, 'john', 'churned', 0, 1),
    ];
    expect((await rebuild('--dry-run')).differences).toEqual(expected);
    expect((await rebuild()).differences).toEqual(expected);
    expect(await numbersOn(table, program, 'john', dateOf(6))).toEqual({ ...NO_NUMBERS, churned: 1 });
    expect((await rebuild()).differences).toEqual([]);
    expect((await rebuild('--dry-run')).differences).toEqual([]);
  });

  test('numbers that are too high are lowered, except clicks and what expired clicks explain', async () => {
    await aLife();
    await rebuild();
    await tamper(12, 'jane', 'v', 2);
    await tamper(12, 'jane', 'r', 1);
    await tamper(7, 'jane', 'c', 5);
    await tamper(5, 'jane', 'r', 1);
    const expected = [difference(12, 'jane', 'conversions', 3, 1), difference(12, 'jane', 'rejected', 1, 0)];
    expect((await rebuild()).differences).toEqual(expected);
    expect(await numbersOn(table, program, 'jane', dateOf(7))).toEqual({ ...NO_NUMBERS, clicks: 5 });
    expect(await numbersOn(table, program, 'jane', dateOf(5))).toEqual({ ...NO_NUMBERS, rejected: 1 });
    await tamper(12, 'jane', 'r', 1);
    expect((await rebuild()).differences).toEqual([difference(12, 'jane', 'rejected', 1, 0)]);
  });

  test('a wrong number of paying customers is corrected, unless a referral of its advocate has just changed', async () => {
    await aLife();
    await rebuild();
    const mia = await anAdvocate(table, program, { slug: 'mia' });
    const at = seconds(NOW / 1000 - DAY);
    await aReferral(table, program, mia, { state: 'paid', createdAt: at, stateSetAt: at, updatedAt: at });
    for (const slug of ['jane', 'john']) await add(totalsKey(program.id, slug), CUSTOMERS, 2);
    const customers = (slug: string, stored: number, computed: number) => {
      return { month: null, day: null, slug, kind: 'customers', stored, computed };
    };
    const wrong = [customers('jane', 2, 0), customers('john', 3, 1)];
    const found = (await rebuild('--dry-run')).differences.filter(({ kind }: { kind: string }) => kind === 'customers');
    expect(found).toEqual([...wrong, customers('mia', 0, 1)]);
    expect((await rebuild()).differences).toEqual(wrong);
    expect((await rebuild()).differences).toEqual([]);
    const stored = await readAllTotals(table, program.id, { consistent: true });
    expect(Object.fromEntries(stored.customers)).toMatchObject({ jane: 0, john: 1 });
  });

  test('days that ended within 24 hours are left to the stream, but a dry run shows them', async () => {
    const clicked = async (days: number) => {
      const createdAt = seconds(NOW / 1000 - days * DAY);
      await aClick(table, program, jane, { createdAt, stateSetAt: createdAt, updatedAt: createdAt });
    };
    for (const days of [0, 1, 2]) await clicked(days);
    const ofDay = (days: number) => [difference(days, null, 'clicks', 0, 1), difference(days, 'jane', 'clicks', 0, 1)];
    expect((await rebuild('--dry-run')).differences).toEqual([...ofDay(2), ...ofDay(1), ...ofDay(0)]);
    expect((await rebuild()).differences).toEqual(ofDay(2));
  });

  test('an import within 24 hours stops a rebuild, but not a dry run; the import notes when it writes', async () => {
    await aLife();
    const rows = 'advocate_slug,state,email,created_at\njane,paid,a@shop.example,2026-02-01T00:00:00Z\n';
    const path = await file(rows);
    const [dryRun, yesterday] = [daysAgo(0), daysAgo(0.9)];
    expect(await importing(dryRun, 'referral', program.id, path, '--dry-run')).toMatchObject({ created: 1 });
    expect(await rebuild()).toMatchObject({ status: 0 });
    expect(await importing(yesterday, 'referral', program.id, path)).toMatchObject({ created: 1 });
    const { status, stderr } = await rebuild();
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^An import wrote referrals of the program within/)]);
    expect(await rebuild('--dry-run')).toMatchObject({ status: 0 });
    await importNotes(daysAgo(1), program.id)();
    expect(await rebuild()).toMatchObject({ status: 1 });
    expect(await at(daysAgo(-0.2), 'rebuild')).toMatchObject({ status: 0 });
    expect(await numbersOn(table, program, null, '2026-02-01')).toEqual({ ...NO_NUMBERS, conversions: 1, paying: 1 });
  });
});

test('a rebuild restores the money of days from the ledger together with the totals, and a total that is not the sum of its days', async () => {
  const referral = await aReferral(table, program, jane);
  const ledger = ledgerOf(program);
  await recordPayment(daysAgo(5), ledger, paymentOf(referral, { paymentId: 'in_1', amount: 1000, paidAt: null }));
  await recordSettlement(daysAgo(4), ledger, {
    ...{ slug: 'jane', settlementId: 's', amount: 70, currency: 'usd', reference: null, settledAt: null },
  });
  // Only money, so that the sign-up of the referral, which is new, does not count.
  const ofMoney = async (...args: string[]) =>
    (await rebuild(...args)).differences.filter(({ kind }: { kind: string }) => kind.startsWith('usd'));
  const both = (days: number, kind: string, computed: number) =>
    [null, 'jane'].map((slug) => difference(days, slug, kind, 0, computed));
  const expected = [
    ...[null, 'jane'].flatMap((slug) => [
      difference(5, slug, 'usd commissions', 0, 200),
      difference(5, slug, 'usd revenue', 0, 1000),
    ]),
    ...both(4, 'usd settled', 70),
  ];
  expect(await ofMoney('--dry-run')).toEqual(expected);
  expect(await ofMoney()).toEqual(expected);
  expect(await ofMoney()).toEqual([]);
  const totals = await readTotals(table, program.id, [null, 'jane', 'john']);
  const usd = { revenue: 1000n, commissions: 200n, adjustments: 0n, settled: 70n };
  expect(totals.map(({ money }) => money.get('usd'))).toEqual([usd, usd, undefined]);
  await add(totalsKey(program.id, 'jane'), 'usd_r', 5);
  const wrong = { month: null, day: null, slug: 'jane', kind: 'usd revenue', stored: 1005, computed: 1000 };
  expect(await ofMoney()).toEqual([wrong]);
  expect(await ofMoney('--dry-run')).toEqual([]);
  // A lost item of the program is restored, and no total of an advocate is changed for it.
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: { ...totalsKey(program.id, null) } }));
  await ofMoney();
  expect((await readTotals(table, program.id, [null, 'jane'])).map(({ money }) => money.get('usd'))).toEqual([
    usd,
    usd,
  ]);
});

test('statistics show and statistics advocates print what the API returns', async () => {
  await aLife();
  await rebuild();
  const range = ['--from', dateOf(15), '--to', dateOf(6)];
  const total = { clicks: 1, conversions: 1, paying: 1, churned: 1, rejected: 0 };
  const shown = await jsonHere(table, 'statistics', 'show', '--program', program.id, ...range, '--group-by', 'month');
  const ofMonth = (key: string, numbers: object) => ({ key, ...NO_NUMBERS, money: [], ...numbers });
  expect(shown).toEqual({
    id: program.id,
    total: { ...total, money: [] },
    groups: [ofMonth('2026-03', { paying: 1, churned: 1 }), ofMonth('2026-02', { clicks: 1, conversions: 1 })],
  });
  const ofJane = ['statistics', 'show', '--program', program.id, '--advocate', 'jane', ...range];
  expect(await jsonHere(table, ...ofJane)).toMatchObject({ id: 'jane', total: { ...total, churned: 0 } });
  expect((await adminHere(table, ...ofJane)).stdout).toMatch(/│ total +│ 1 +│ 1 +│ 1 +│ 0 +│ 0 +│/);
  const listed = await jsonHere(table, 'statistics', 'advocates', '--program', program.id, ...range);
  const names = { first_name: jane.firstName, last_name: jane.lastName, active: true };
  expect(listed).toEqual([
    { id: 'jane', ...names, ...total, churned: 0 },
    { id: 'john', ...names, ...NO_NUMBERS, churned: 1 },
  ]);
  expect(await adminHere(table, 'statistics', 'show', '--program', program.id, '--from', 'x')).toMatchObject({
    status: 2,
    stderr: '--from must be a date such as 2026-01-31.\n',
  });
  expect(await adminHere(table, ...ofJane, '--advocate', 'nobody')).toMatchObject({ status: 1 });
});

test('a number that has changed since it was read is not corrected', async () => {
  await aLife();
  const [difference] = await settledDifferences(daysAgo(0), program);
  if (!difference) throw new Error('There is no difference.');
  expect(await correct(table, program.id, { ...difference, stored: 7n })).toBe(false);
  expect(await numbersOn(table, program, 'jane', difference.day ?? '')).toEqual(NO_NUMBERS);
  expect(await correct(table, program.id, difference)).toBe(true);
  expect(await correct(table, program.id, difference)).toBe(false);
});

test('clicks, conversions and changes of states are counted on the real stream, once, and are returned by the API', async () => {
  // The day does not end during the test.
  const moment = table.clock();
  const [frozen, createdAt] = [atTime(table, () => moment), secondOf(moment)];
  const click = await aClick(frozen, program, jane, { createdAt });
  await aClick(frozen, program, jane, { createdAt });
  const { referral } = await track(frozen, program, { by: { slug: jane.slug, clickId: click.id } });
  await set(frozen, program, referral.id, 'paid');
  await move(frozen, program, referral.id, john.slug);
  await set(frozen, program, referral.id, 'churned');
  await set(frozen, program, referral.id, 'rejected');
  await eraseReferral(frozen, program.id, referral.id, 'merchant');
  await countStream(table);
  await countStream(table);
  const today = dayOf(createdAt);
  const ofJane = { ...NO_NUMBERS, clicks: 2, conversions: 1, paying: 1 };
  const ofJohn = { ...NO_NUMBERS, churned: 1, rejected: 1 };
  expect(await numbersOn(table, program, jane.slug, today)).toEqual(ofJane);
  expect(await numbersOn(table, program, john.slug, today)).toEqual(ofJohn);
  expect(await numbersOn(table, program, null, today)).toEqual({ ...ofJane, churned: 1, rejected: 1 });

  const send = sendToHandlers(frozen);
  const token = await aToken(table, program);
  const { json } = await send({ operation: 'getStatistics', token });
  expect(json.data.attributes.total).toEqual({ ...ofJane, churned: 1, rejected: 1, money: [] });
  expect(json.data.attributes.groups[0]).toEqual({ key: today, ...ofJane, churned: 1, rejected: 1, money: [] });
  expect(json.data.attributes.groups).toHaveLength(30);
});
