import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { PRESETS } from '../../../bin/admin/import/presets.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { findAdvocate } from '../../../functions/kernel/accounts/table/advocate-items.ts';
import { InvalidAffiliate } from '../../../functions/kernel/errors.ts';
import { adminHere, importing, jsonHere, useFiles } from '../../support/admin-here.ts';
import { anAdvocate, aProgram } from '../../support/program.ts';
import { track } from '../../support/table/track.ts';
import { allItems } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const file = useFiles();
let program: Program;
beforeEach(async () => {
  program = await aProgram(table);
});

type Row = Record<string, unknown>;
const imported = async (content: string) => importing(table, 'advocate', program.id, await file(content));
const list = async () => (await jsonHere(table, 'advocate', 'list', '--program', program.id)) as Row[];
const slugs = async () => (await list()).map(({ slug }) => slug);

test('a line sets the slug, uid, company, rate, time and metadata; missing and empty cells set nothing', async () => {
  const content = `created_at,email,first_name,last_name,slug,uid,company_id,company,commission_percentage,metadata
2023-11-14T22:13:20Z,Jane@Partners.example,Jane,Doe,Jane,4711,7,"Acme, Inc.",12.5,"{""tier"":""gold""}"
1700000001,joe@partners.example,,,joe,,,,,`;
  expect(await imported(content)).toEqual({ created: 2, skipped: 0, failed: [] });
  const stored = async (slug: string) => (await findAdvocate(table, program.id, slug))?.metadata;
  expect([await stored('jane'), await stored('joe')]).toEqual([{ tier: 'gold' }, {}]);
  const nothing = { first_name: null, last_name: null, uid: null, commission_percentage: null };
  expect(await list()).toMatchObject([
    { ...nothing, slug: 'joe', email: 'joe@partners.example', company: 'Acme', active: true },
    {
      email: 'jane@partners.example',
      first_name: 'Jane',
      last_name: 'Doe',
      slug: 'jane',
      uid: '4711',
      company_id: '7',
      company: 'Acme, Inc.',
      commission_percentage: 12.5,
      created_at: 1_700_000_000,
      referral_link: 'https://acme.example/?via=jane',
      active: true,
    },
  ]);
});

describe('slugs that are missing in the file', () => {
  const line = (number: number) => `jane-${number}@partners.example,Jane,Doe,170000000${number}\n`;
  const content = (count: number) =>
    `email,first_name,last_name,created_at\n${Array.from({ length: count }, (_, index) => line(index)).join('')}`;

  test('a missing slug is built from the names, with a number or with characters that stay the same', async () => {
    expect(await imported(content(7))).toEqual({ created: 7, skipped: 0, failed: [] });
    const created = (await slugs()).reverse();
    expect(created.slice(0, 5)).toEqual(['jane-doe', 'jane-doe-2', 'jane-doe-3', 'jane-doe-4', 'jane-doe-5']);
    for (const slug of created.slice(5)) expect(slug).toMatch(/^jane-doe-[0-9a-z]{6}$/);
    const before = await allItems(table);
    expect(await imported(content(7))).toEqual({ created: 0, skipped: 7, failed: [] });
    expect(await allItems(table)).toEqual(before);
  });
});

test('runs of one file that overlap create each advocate once', async () => {
  const lines = Array.from({ length: 150 }, (_, index) => `a${index}@partners.example,Jane-${index % 30},${index}`);
  const content = ['email,first_name,uid', ...lines].join('\n');
  const reports = await Promise.all([imported(content), imported(content), imported(content)]);
  const total = (name: 'created' | 'skipped') => reports.reduce((sum, report) => sum + report[name], 0);
  expect(reports.flatMap(({ failed }) => failed)).toEqual([]);
  expect([total('created'), total('skipped')]).toEqual([150, 300]);
  expect(await slugs()).toHaveLength(150);
});

test('equal lines create one advocate, and a second run keeps a deactivation', async () => {
  const content = 'email,slug\njane@partners.example,jane\njane@partners.example,jane\n';
  expect(await imported(content)).toEqual({ created: 1, skipped: 1, failed: [] });
  await jsonHere(table, 'advocate', 'deactivate', '--program', program.id, '--advocate', 'jane');
  expect(await imported(content)).toEqual({ created: 0, skipped: 2, failed: [] });
  expect(await list()).toEqual([expect.objectContaining({ slug: 'jane', active: false })]);
});

test('every invalid line is reported with its number and column, and the others are imported', async () => {
  await anAdvocate(table, program, { slug: 'taken', uid: 'taken' });
  const cases: [string, string][] = [
    [',jane,,', 'email must not be empty'],
    ['a@b.example,taken,,', 'slug belongs to another advocate'],
    ['a@b.example,jane-2,taken,', 'uid belongs to another advocate'],
    ['a@b.example,jane-4,,100.01', 'commission_percentage must be a number from 0 to 100'],
  ];
  const lines = ['email,slug,uid,commission_percentage', 'c@d.example,good,good,', ...cases.map(([line]) => line)];
  const failed = cases.map(([, reason], index) => ({ line: index + 3, reason }));
  expect(await imported(lines.join('\n'))).toEqual({ created: 1, skipped: 0, failed });
  expect((await slugs()).sort()).toEqual(['good', 'taken']);
});

test('an erased advocate of a file is erased, keeps its slug, and has no fields of a person', async () => {
  const header = 'id,email,slug,uid,active,created_at,erased_at';
  const cases: [string, string][] = [
    [',a@b.example,jane,,,1,2', 'email must be empty if erased_at is set'],
    [',,jane,,,2,1', 'erased_at must not be before created_at'],
  ];
  const failed = cases.map(([, reason], index) => ({ line: index + 3, reason }));
  const content = [header, ',,gone,,true,1,2', ...cases.map(([line]) => line)].join('\n');
  expect(await imported(content)).toEqual({ created: 1, skipped: 0, failed });
  expect(await imported(content)).toEqual({ created: 0, skipped: 1, failed });
  expect(await findAdvocate(table, program.id, 'gone')).toMatchObject({ erasedAt: 2, active: false, email: null });
  expect(await imported('email,slug\na@b.example,gone\n')).toMatchObject({
    failed: [{ line: 2, reason: 'slug belongs to another advocate' }],
  });
});

test('an old export neither revives an advocate who was erased since, nor erases another one', async () => {
  const { id } = await anAdvocate(table, program, { slug: 'gone', email: 'a@b.example', uid: '1' });
  await jsonHere(table, 'advocate', 'erase', '--program', program.id, '--advocate', 'gone');
  await anAdvocate(table, program, { slug: 'jane', email: 'c@d.example' });
  const before = await allItems(table);
  expect(await imported(`id,email,slug,uid,erased_at\n${id},a@b.example,gone,1,\n,,jane,,1\n`)).toEqual({
    created: 0,
    skipped: 1,
    failed: [{ line: 3, reason: 'slug belongs to another advocate' }],
  });
  expect(await allItems(table)).toEqual(before);
});

test('a file without a column for the slug gets one warning, because links that were shared break', async () => {
  const path = await file('Email\na@b.example\n');
  const args = ['--program', program.id, '--dry-run', '--from', 'rewardful', '--file', path];
  expect(await adminHere(table, 'advocate', 'import', ...args)).toMatchObject({
    status: 0,
    stderr:
      'No column is the slug: the advocates get new ones, and links that they have shared will not work. Name it with --map.\n',
  });
});

test('a line may deactivate its advocate, who gets no new referrals', async () => {
  const content = 'email,slug,uid,active\na@b.example,on,1,true\nc@d.example,off,2,false\ne@f.example,empty,3,\n';
  expect(await imported(content)).toEqual({ created: 3, skipped: 0, failed: [] });
  const active = Object.fromEntries((await list()).map(({ slug, active }) => [slug, active]));
  expect(active).toEqual({ on: true, off: false, empty: true });
  const tracked = track(table, program, { by: { publicKey: program.publicKey, uid: '2' } });
  await expect(tracked).rejects.toThrow(InvalidAffiliate);
});

type Noun = 'advocate' | 'referral';
/** A file in test/support/exports, its number of rows, and how many of them repeat a customer. */
type ExportFile = readonly [name: string, noun: Noun, rows: number, repeated: number];

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
  const importFile = ([name, noun]: ExportFile) => importing(table, noun, id, pathOf(name), '--from', product);
  for (const file of FILES[product]) {
    const [, , rows, repeated] = file;
    expect(await importFile(file)).toEqual({ created: rows - repeated, skipped: repeated, failed: [] });
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

/** Products with some of the advocates in their exports by slug, and some of the referrals. */
const PRODUCTS = {
  rewardful: {
    advocates: {
      joerg: { email: 'joerg@partners.example', first_name: 'Jörg', last_name: "O'Neill, Jr.", active: true },
      'zoe-m': { active: false },
    },
    referrals: [
      { email: 'fred@shop.example', state: 'paid', advocate_slug: 'joerg', created_at: at('2024-01-10T09:00:00Z') },
      { email: null, state: 'clicked', advocate_slug: 'amelie_yt' },
    ],
  },
  firstpromoter: {
    advocates: {
      shelley: { uid: 'user_1', company: 'Ünal, Inc.', active: true, created_at: at('2023-04-11T14:54:32Z') },
      'blocked-one': { active: false },
    },
    referrals: [
      { uid: 'cbdemo_1', state: 'paid', state_set_at: at('2024-04-11T14:54:32Z') },
      { uid: 'cbdemo_4', state: 'churned', advocate_slug: 'noah_k', state_set_at: at('2024-06-01T00:00:00Z') },
    ],
  },
  tapfiliate: {
    advocates: {
      janedoe: { company: 'Doe; Söhne', active: true },
      bo: { active: false, created_at: at('2023-05-27T11:04:01Z') },
    },
    referrals: [
      { uid: 'Kunde Ä%20', state: 'paid' },
      { uid: '4713', state: 'churned' },
    ],
  },
} as const;

test.each(Object.entries(PRODUCTS))(
  'an export of %s is imported completely, and a second import creates nothing',
  async (product, expected) => {
    const { advocates, referrals } = await moved(product as keyof typeof PRESETS);
    expect(Object.fromEntries(advocates.map((row) => [row['slug'], row]))).toMatchObject(expected.advocates);
    for (const referral of expected.referrals) expect(referrals).toContainEqual(expect.objectContaining(referral));
  },
);
