import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { PRESETS } from '../../../bin/admin/import/presets.ts';
import { adminHere, importing, jsonHere, useFiles } from '../../support/admin-here.ts';
import { anAdvocate, aProgram } from '../../support/program.ts';
import { allItems } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const file = useFiles();

type Noun = 'advocate' | 'referral';
/** A file in test/support/exports, its number of rows, and how many of them repeat a customer. */
type ExportFile = readonly [name: string, noun: Noun, rows: number, repeated: number];
type Row = Record<string, unknown>;

const FILES: Readonly<Record<keyof typeof PRESETS, readonly ExportFile[]>> = {
  rewardful: [
    ['rewardful-affiliates', 'advocate', 4, 0],
    ['rewardful-referrals', 'referral', 6, 1],
  ],
  firstpromoter: [
    ['firstpromoter-promoters', 'advocate', 4, 0],
    ['firstpromoter-referrals', 'referral', 9, 1],
  ],
  tapfiliate: [
    ['tapfiliate-affiliates', 'advocate', 3, 0],
    ['tapfiliate-customers', 'referral', 6, 0],
    ['tapfiliate-conversions', 'referral', 4, 2],
  ],
};
const pathOf = (name: string) => join(import.meta.dirname, '../../support/exports', `${name}.csv`);

/** Imports all files of a product into a new program. Returns its advocates, and its referrals as an export contains them. */
async function moved(product: keyof typeof PRESETS): Promise<{ advocates: Row[]; referrals: Row[] }> {
  // Long enough that no imported click expires.
  const { id } = await aProgram(table, { attributionDays: 3650 });
  const importFile = ([name, noun]: ExportFile, ...options: string[]) =>
    importing(table, noun, id, pathOf(name), '--from', product, ...options);
  for (const file of FILES[product]) {
    const [, , rows, repeated] = file;
    const report = { created: rows - repeated, skipped: repeated, failed: [] };
    expect(await importFile(file, '--dry-run')).toEqual(report);
    expect(await importFile(file)).toEqual(report);
  }
  const before = await allItems(table);
  for (const file of FILES[product]) {
    expect(await importFile(file)).toEqual({ created: 0, skipped: file[2], failed: [] });
  }
  expect(await allItems(table)).toEqual(before);
  const exported = await adminHere(table, 'referral', 'export', '--program', id, '--format', 'ndjson');
  const lines = exported.stdout.split('\n').slice(0, -1);
  return {
    advocates: (await jsonHere(table, 'advocate', 'list', '--program', id)) as Row[],
    referrals: lines.map((line) => JSON.parse(line)),
  };
}

const at = (time: string) => Date.parse(time) / 1000;
const bySlug = (rows: Row[]) => Object.fromEntries(rows.map((row) => [row['slug'], row]));
/** The states of referrals by their emails, or by their uids if they have no email. */
const statesOf = (rows: Row[]) =>
  Object.fromEntries(rows.map((row) => [row['email'] ?? row['uid'] ?? row['advocate_slug'], row['state']]));

describe('exports of other services', () => {
  test('an export of Rewardful is imported completely, and a second import creates nothing', async () => {
    const { advocates, referrals } = await moved('rewardful');
    const { joerg, amelie_yt, 'zoe-m': zoe, ...others } = bySlug(advocates);
    expect(joerg).toMatchObject({
      email: 'joerg@partners.example',
      first_name: 'Jörg',
      last_name: "O'Neill, Jr.",
      active: true,
      created_at: at('2023-05-09T16:18:59Z'),
    });
    expect([amelie_yt, zoe]).toMatchObject([{ active: true }, { active: false }]);
    expect(Object.values(others)).toMatchObject([{ email: 'team@partners.example', active: false }]);
    expect(statesOf(referrals)).toEqual({
      'fred@shop.example': 'paid',
      'ana@shop.example': 'converted',
      amelie_yt: 'clicked',
      'kasse@xn--bcher-kva.example': 'churned',
    });
    expect(referrals.filter(({ state }) => state === 'clicked')).toHaveLength(2);
    expect(referrals.find(({ email }) => email === 'fred@shop.example')).toMatchObject({
      advocate_slug: 'joerg',
      uid: null,
      created_at: at('2024-01-10T09:00:00Z'),
      state_set_at: at('2024-02-01T12:30:00Z'),
    });
    expect(referrals.find(({ email }) => email === 'ana@shop.example')).toMatchObject({
      state_set_at: at('2024-01-12T09:05:00Z'),
    });
  });

  test('an export of FirstPromoter is imported completely, and a second import creates nothing', async () => {
    const { advocates, referrals } = await moved('firstpromoter');
    expect(bySlug(advocates)).toMatchObject({
      shelley: { uid: 'user_1', company: 'Ünal, Inc.', active: true, created_at: at('2023-04-11T14:54:32Z') },
      noah_k: { uid: null, last_name: null, active: true },
      'blocked-one': { active: false },
      new1: { active: false },
    });
    expect(statesOf(referrals)).toEqual({
      'shelley.customer@shop.example': 'paid',
      'lead@shop.example': 'converted',
      'sub+news@shop.example': 'converted',
      'gone@shop.example': 'churned',
      cbdemo_5: 'paid',
      'fraud@shop.example': 'rejected',
      'back@shop.example': 'rejected',
      'wait@xn--mller-kva.example': 'converted',
    });
    expect(referrals.find(({ email }) => email === 'gone@shop.example')).toMatchObject({
      advocate_slug: 'noah_k',
      uid: 'cbdemo_4',
      state_set_at: at('2024-06-01T00:00:00Z'),
    });
    expect(referrals.find(({ uid }) => uid === 'cbdemo_1')).toMatchObject({
      state_set_at: at('2024-04-11T14:54:32Z'),
    });
  });

  test('an export of Tapfiliate is imported completely, and a second import creates nothing', async () => {
    const { advocates, referrals } = await moved('tapfiliate');
    expect(bySlug(advocates)).toMatchObject({
      janedoe: { company: 'Doe; Söhne', active: true },
      ali_oz: { last_name: 'Öz', active: true },
      bo: { active: false, created_at: at('2023-05-27T11:04:01Z') },
    });
    expect(statesOf(referrals)).toEqual({
      4711: 'converted',
      'Kunde Ä%20': 'paid',
      4713: 'churned',
      4714: 'paid',
      4715: 'converted',
      4716: 'churned',
      9001: 'converted',
      9002: 'rejected',
    });
  });
});

describe('orders of Tapfiliate without a customer', () => {
  const content = [
    'external_id;customer_id;affiliate_email;commission_status',
    'ORD-1;;jane@partners.example;approved',
    'ORD-2;;jane@partners.example;approved',
  ].join('\n');
  const run = async (...options: string[]) => {
    const program = await aProgram(table);
    await anAdvocate(table, program, { email: 'jane@partners.example' });
    return importing(table, 'referral', program.id, await file(content), '--from', 'tapfiliate', ...options);
  };

  test('an order without a customer fails, because its number identifies no customer', async () => {
    const reason = 'email or uid is required unless the state is clicked';
    expect(await run()).toEqual({ created: 0, skipped: 0, failed: [2, 3].map((line) => ({ line, reason })) });
  });

  test('an order without a customer counts as a separate customer if --map says so', async () => {
    const options = ['--map', 'customer_id=', '--map', 'external_id=uid'];
    expect(await run(...options)).toEqual({ created: 2, skipped: 0, failed: [] });
  });
});

test('the columns that a preset does not read are named in one warning', async () => {
  const { id } = await aProgram(table);
  const file = pathOf('tapfiliate-affiliates');
  const { stderr } = await adminHere(
    table,
    ...['advocate', 'import', '--program', id, '--file', file, '--from', 'tapfiliate'],
  );
  expect(stderr).toBe(
    'Unknown columns are ignored: "id", "referral_link", "group", "balance", "currency", "meta_data". Use --map to import one of them.\n',
  );
});

test('the test reads the files in UTF-8 with and without a byte order mark, with LF and with CRLF', async () => {
  const files = await Promise.all(Object.values(FILES).flatMap((all) => all.map(([name]) => readFile(pathOf(name)))));
  const marked = files.filter((file) => file.subarray(0, 3).toString() === '\ufeff');
  const windows = files.filter((file) => file.includes('\r\n'));
  for (const some of [marked, windows]) {
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(files.length);
  }
});
