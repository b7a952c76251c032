import { expect, test } from '@jest/globals';
import { findAdvocate } from '../../../functions/kernel/accounts/table/advocate-items.ts';
import { adminHere, jsonHere } from '../../support/admin-here.ts';
import { aClick, anAdvocate, aReferral } from '../../support/program.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const { table, program } = await useProgram();

const command = (verb: string, slug: string, ...options: string[]) => [
  ...['advocate', verb, '--program', program.id, '--advocate', slug],
  ...options,
];
const run = (verb: string, slug: string, ...options: string[]) => adminHere(table, ...command(verb, slug, ...options));
const listed = async (...filters: string[]) =>
  (await jsonHere(table, 'advocate', 'list', '--program', program.id, ...filters)) as { slug: string }[];

test('advocate show prints what list prints, and the counts of its clicks and referrals', async () => {
  const advocate = await anAdvocate(table, program, { uid: 'shown' });
  for (const each of [advocate, advocate, await anAdvocate(table, program)]) await aClick(table, program, each);
  for (const state of ['paid', 'paid', 'churned', 'rejected'] as const) {
    await aReferral(table, program, advocate, { state });
  }
  const shown = await jsonHere(table, ...command('show', advocate.slug.toUpperCase()));
  const counts = { clicked: 2, converted: 0, paid: 2, churned: 1, rejected: 1 };
  expect([shown]).toEqual((await listed('--uid', 'shown', '--active', 'true')).map((row) => ({ ...row, counts })));
  expect(await listed('--uid', 'shown', '--active', 'false')).toEqual([]);
  const earlier = ['advocate', 'show', '--program', program.id, '--slug', advocate.slug];
  expect((await adminHere(table, ...earlier)).stdout).toMatch(
    /│ email +│ jane-.*\n(.*\n)+│ clicked +│ 2 +│\n│ converted +│ 0 +│\n│ paid +│ 2 +│/,
  );
});

test('advocate update changes only what is given, clears what has --no-, and prints the advocate', async () => {
  let expected = await anAdvocate(table, program);
  const { slug } = expected;
  const all = '--email Jo@Example.com --first-name Jo --last-name Roe --uid 4711 --company-id 7 --company Acme';
  const names = { email: 'jo@example.com', firstName: 'Jo', lastName: 'Roe', uid: '4711' };
  const steps: [string[], object][] = [
    [all.split(' '), { ...names, emailVersion: 1, companyId: '7', company: 'Acme' }],
    [['--commission-percentage', '0'], { commissionPercentage: 0 }],
    [['--no-first-name'], { firstName: null }],
    [['--no-commission-percentage'], { commissionPercentage: null }],
    [['--metadata', '{"tier":"gold"}'], { metadata: { tier: 'gold' } }],
    [['--no-metadata'], { metadata: {} }],
  ];
  for (const [options, change] of steps) {
    const printed = await jsonHere(table, ...command('update', slug, ...options));
    expect(await listed('--email', String(names.email))).toEqual([printed]);
    expected = { ...expected, ...change, version: expected.version + 1 };
    expect(await findAdvocate(table, program.id, slug)).toEqual(expected);
  }
});

test.each([
  ['deactivate', [], 'for conversions immediately, and for clicks within 30 seconds.'],
  ['activate', [], 'immediately.'],
])('%s says when the change takes effect, and a repetition changes nothing', async (verb, options, when) => {
  const { slug } = await anAdvocate(table, program);
  const sentence = `\nThe change takes effect ${when}\n`;
  expect((await run(verb, slug, ...options)).stdout).toContain(`┘${sentence}`);
  expect((await run(verb, slug, '--help')).stdout).toContain(sentence);
  const { active } = (await findAdvocate(table, program.id, slug)) ?? {};
  expect(active).toBe(verb !== 'deactivate');
  await expectUnchanged(table, () => run(verb, slug, ...options));
});

test('advocate erase prints the erased advocate, which cannot be changed afterwards', async () => {
  const { slug } = await anAdvocate(table, program);
  const erased = { slug, email: null, first_name: null, last_name: null, active: false };
  for (const _ of [1, 2]) expect(await jsonHere(table, ...command('erase', slug))).toMatchObject(erased);
  const stderr = expect.stringContaining('The advocate was erased. Create a new advocate.');
  expect(await run('activate', slug)).toMatchObject({ status: 1, stderr });
});

test('advocate index prints how many advocates it read, and how many became findable by their emails', async () => {
  const { length } = await listed();
  expect(await jsonHere(table, 'advocate', 'index', '--program', program.id)).toEqual({ read: length, indexed: 0 });
});
