import { beforeEach, describe, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import { shownRules } from '../../../functions/kernel/accounts/rules/commission-rules.ts';
import { commissionRulesId } from '../../../functions/kernel/accounts/rules/commission-rules-id.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { adminHere, jsonHere } from '../../support/admin-here.ts';
import { anAdvocate, aProgram } from '../../support/program.ts';
import { aGroup } from '../../support/terms.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const RULES = [
  { amounts: { eur: 2000, jpy: 300 }, payments: 1 },
  { percentage: 12.5, months: 12 },
];
const JSON_RULES = JSON.stringify(RULES);
const RULES_ID = commissionRulesId(RULES);
const SHOWN = { commission_rules_id: RULES_ID, commission_rules: shownRules(RULES) };
const NO_RULES = { commission_rules_id: null, commission_rules: null };
const SENTENCE = /20\.00 eur or 300 jpy for the first payment, then 12\.5% for 12 months/;

const table = useTable();
let program: Program;
beforeEach(async () => {
  program = await aProgram(table, { commissionPercentage: 20, commissionMonths: 12 });
});

/** The arguments of a command, such as `group set`, on the program. */
const on = (command: string, ...options: string[]) => [...command.split(' '), '--program', program.id, ...options];
const run = (command: string, ...options: string[]) => adminHere(table, ...on(command, ...options));
const json = async (command: string, ...options: string[]) => Object(await jsonHere(table, ...on(command, ...options)));
const refused = (status: number, sentence: string) => ({ status, stdout: '', stderr: `${sentence}\n` });

test('group set creates and replaces a group, which list and rules print as sentences and as JSON', async () => {
  const nothing = 'The program has no groups yet. Run `group set` to create one.\n';
  expect((await run('group list')).stdout).toBe(nothing);
  const set = ['--group', 'Creators', '--title', 'Our creators', '--commission-rules', JSON_RULES];
  const short = { commission_percentage: null, commission_months: null };
  const creators = { name: 'creators', title: 'Our creators', ...short, ...SHOWN };
  expect(await json('group set', ...set)).toEqual(creators);
  await expectUnchanged(table, async () => {
    const { stdout } = await run('group set', ...set);
    expect(stdout).toMatch(SENTENCE);
    expect(stdout).toMatch(/\nThe change takes effect within 30 seconds, for clicks and referrals from then on\.\n$/);
  });
  await json('group set', '--group', 'a', '--commission-percentage', '30', '--commission-months', '6');
  const a = { name: 'a', title: null, commission_percentage: 30, commission_months: 6, ...NO_RULES };
  expect(await json('group list')).toEqual([a, creators]);
  expect((await run('group list')).stdout).toMatch(
    /│ a +│ – +│ 30 +│ 6 +│ – +│\n│ creators +│ Our creators +│ – +│ – +│ 20/,
  );
  expect(await json('group set', '--group', 'creators')).toEqual({ ...creators, title: null, ...NO_RULES });
  // Referrals keep the rules that the group had.
  expect(await json('group rules', '--id', RULES_ID)).toEqual({ id: RULES_ID, rules: shownRules(RULES) });
  expect((await run('group rules', '--id', RULES_ID)).stdout).toMatch(SENTENCE);
});

test('code set gives an advocate a code, deactivate ends it, and list shows whether it counts', async () => {
  const { slug } = await anAdvocate(table, program);
  const nothing = 'The program has no promotion codes yet. Run `code set` to create one.\n';
  expect((await run('code list')).stdout).toBe(nothing);
  const set = ['--code', 'jane20', '--advocate', slug];
  const code = { code: 'JANE20', affiliate_slug: slug, active: true, created_at: expect.any(Number) };
  expect(await json('code set', ...set)).toEqual({ ...code, promotion_code_id: null });
  const mapped = { ...code, promotion_code_id: 'promo_1' };
  expect(await json('code set', ...set, '--promotion-code-id', 'promo_1')).toEqual(mapped);
  expect((await run('code list')).stdout).toMatch(new RegExp(`│ JANE20 +│ ${slug} +│ yes +│ promo_1 +│ 20`));
  const off = { ...mapped, active: false };
  for (const _ of [1, 2]) expect(await json('code deactivate', '--code', 'Jane20')).toEqual(off);
  expect(await json('code list')).toEqual([off]);
  expect(await json('code set', ...set)).toEqual(mapped);
  await updateAdvocate(table, program.id, slug, { active: false });
  expect([await json('code set', ...set), ...(await json('code list'))]).toEqual([off, off]);
});

test('program create and update accept rules and print them, and each form of terms clears the other', async () => {
  const shop = ['--name', 'Shop', '--site-url', 'https://shop.example', '--commission-rules', JSON_RULES];
  const { status, stdout } = await adminHere(table, 'program', 'create', ...shop);
  expect([status, stdout]).toEqual([0, expect.stringMatching(SENTENCE)]);
  const terms = async (...options: string[]) => {
    const updated = await json('program update', ...options);
    expect(await json('program show')).toEqual(updated);
    expect(await jsonHere(table, 'program', 'list')).toContainEqual(updated);
    return updated;
  };
  const cleared = { commission_percentage: null, commission_months: null };
  const ruled = await terms('--commission-rules', JSON_RULES, '--code-priority', 'code');
  expect(ruled).toMatchObject({ ...cleared, ...SHOWN, code_priority: 'code' });
  expect((await run('program show')).stdout).toMatch(SENTENCE);
  expect(await terms('--commission-percentage', '5')).toMatchObject({ commission_percentage: 5, ...NO_RULES });
  expect(await terms('--commission-rules', JSON_RULES)).toMatchObject({ ...cleared, ...SHOWN });
  expect(await terms('--no-commission-rules')).toMatchObject({ ...cleared, ...NO_RULES });
});

test('advocate create and update put an advocate into a group that exists, and --no-group takes it out', async () => {
  await aGroup(table, program, 'partners', 30);
  const created = await json('advocate create', '--email', 'jane@example.com', '--slug', 'jane', '--group', 'Partners');
  expect(created.group).toBe('partners');
  const update = ['--advocate', 'jane'];
  expect(await json('advocate update', ...update, '--no-group')).toEqual({ ...created, group: null });
  expect(await json('advocate update', ...update, '--group', 'partners')).toEqual(created);
  const unknown = refused(2, '--group must be the name of a group of the program.');
  await expectUnchanged(table, async () => {
    expect(await run('advocate update', ...update, '--group', 'friends')).toEqual(unknown);
    expect(await run('advocate create', '--email', 'omar@example.com', '--group', 'friends')).toEqual(unknown);
  });
});

describe('refused terms and codes', () => {
  const both =
    '--commission-rules cannot be combined with --commission-percentage and --commission-months: send one form.';
  const slug = 'must be 1 to 64 letters, digits, hyphens or underscores.';
  const parts = 'percentage, amounts, payments, months, paying_from';
  test.each<[string, string[], string]>([
    ['group set', ['--group', 'two words'], `--group ${slug}`],
    [
      'group set',
      ['--group', 'a', '--commission-months', '5'],
      '--commission-percentage is required with --commission-months.',
    ],
    ['group set', ['--group', 'a', '--commission-percentage', '5', '--commission-rules', JSON_RULES], both],
    ['group set', ['--group', 'a', '--commission-rules', 'ten'], '--commission-rules must be a list of 1 to 10 rules.'],
    ['program update', ['--commission-months', '5', '--commission-rules', JSON_RULES], both],
    [
      'program update',
      ['--commission-rules', '[{"percentage":5},{"percentage":5,"months":0}]'],
      '--commission-rules[1].months must be a whole number from 1 to 1200.',
    ],
    [
      'program update',
      ['--commission-rules', '[{"percent":5}]'],
      `--commission-rules[0] must be an object with no other fields than ${parts}.`,
    ],
    ['code set', ['--advocate', 'jane', '--code', 'two words'], `--code ${slug}`],
    ['code deactivate', ['--code', ''], `--code ${slug}`],
    [
      'code set',
      ['--advocate', 'jane', '--code', 'A', '--promotion-code-id', 'promo 1'],
      '--promotion-code-id must be 1 to 255 printable ASCII characters without spaces.',
    ],
  ])('the error of %s with %j names the option', async (command, options, sentence) => {
    await expectUnchanged(table, async () => expect(await run(command, ...options)).toEqual(refused(2, sentence)));
  });

  test('a taken code, an unknown code and unknown rules are reported in one sentence, and nothing is written', async () => {
    for (const slug of ['jane', 'omar']) await anAdvocate(table, program, { slug });
    await json('code set', '--code', 'A', '--advocate', 'jane', '--promotion-code-id', 'promo_1');
    const cases: [string, string[], string][] = [
      [
        'code set',
        ['--code', 'a', '--advocate', 'omar'],
        'The code belongs to another advocate. Choose another --code.',
      ],
      [
        'code set',
        ['--code', 'B', '--advocate', 'omar', '--promotion-code-id', 'promo_1'],
        '--promotion-code-id belongs to another code. Create another promotion code at Stripe.',
      ],
      [
        'code set',
        ['--code', 'B', '--advocate', 'nobody'],
        'No active advocate of the program has the slug in --advocate. Run `advocate list` to see its advocates.',
      ],
      // A misspelled code would be taken for ever.
      [
        'code deactivate',
        ['--code', 'AA'],
        'No advocate has the code in --code. Run `code list` to see the codes of the program.',
      ],
      [
        'group rules',
        ['--id', 'none'],
        'No rules of the program have the id in --id. Run `program show` or `group list --json` to see ids.',
      ],
    ];
    await expectUnchanged(table, async () => {
      for (const [command, options, sentence] of cases) {
        expect(await run(command, ...options)).toEqual(refused(1, sentence));
      }
    });
  });

  test('the 51st group is reported in one sentence', async () => {
    for (let number = 1; number <= 50; number += 1) await aGroup(table, program, `group-${number}`);
    const sentence = 'The program has 50 groups. Change one of them.';
    expect(await run('group set', '--group', 'another')).toEqual(refused(1, sentence));
  });
});
