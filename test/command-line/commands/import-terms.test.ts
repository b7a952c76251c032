import { beforeEach, describe, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import { putCode } from '../../../functions/codes/table/put-code.ts';
import { commissionRulesId } from '../../../functions/kernel/accounts/rules/commission-rules-id.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { adminHere, importing, jsonHere, useFiles } from '../../support/admin-here.ts';
import { dyingAt } from '../../support/dying.ts';
import { entriesOf } from '../../support/ledger/ledger.ts';
import { anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { aGroup, aRuledProgram, setRules } from '../../support/terms.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const RULES = [{ amounts: { usd: 300 }, payments: 1 }, { percentage: 50, payments: 3 }, { percentage: 10 }];

const table = useTable();
const file = useFiles();
let program: Program;
beforeEach(async () => {
  program = await aProgram(table);
});

const imported = async (noun: 'advocate' | 'referral', content: string, ...options: string[]) =>
  importing(table, noun, program.id, await file(content), ...options);

describe('advocates with groups and promotion codes', () => {
  const exported = async ({ id }: Program) => (await adminHere(table, 'advocate', 'export', '--program', id)).stdout;
  const codesOf = async ({ id }: Program) => {
    const codes = (await jsonHere(table, 'code', 'list', '--program', id)) as Record<string, unknown>[];
    return codes.map(({ code, affiliate_slug, active }) => [code, affiliate_slug, active]);
  };

  test('an export is imported with groups and active codes, exported unchanged, and not imported twice', async () => {
    const other = await aProgram(table);
    for (const each of [program, other]) await aGroup(table, each, 'partners', RULES);
    await anAdvocate(table, other, { slug: 'jane', group: 'partners' });
    await anAdvocate(table, other, { slug: 'omar' });
    await putCode(table, other.id, { code: 'O', slug: 'omar' });
    await updateAdvocate(table, other.id, 'omar', { active: false });
    for (const code of ['B', 'A', 'OLD'])
      await putCode(table, other.id, { code, slug: 'jane', active: code !== 'OLD', promotionCodeId: `promo_${code}` });
    const csv = await exported(other);
    expect(csv).toMatch(/,partners,.*,A=promo_A B=promo_B !OLD=promo_OLD\n/);
    expect(await imported('advocate', csv)).toEqual({ created: 2, skipped: 0, failed: [] });
    expect(await exported(program)).toBe(csv);
    const codes = [...['A', 'B'].map((code) => [code, 'jane', true]), ['O', 'omar', false], ['OLD', 'jane', false]];
    expect(await codesOf(program)).toEqual(codes);
    // A second import does not activate a code that was deactivated since.
    await jsonHere(table, 'code', 'deactivate', '--program', program.id, '--code', 'A');
    await expectUnchanged(table, async () => {
      expect(await imported('advocate', csv)).toEqual({ created: 0, skipped: 2, failed: [] });
    });
  });

  test('a line with an unknown group, a malformed code or a code of another advocate fails', async () => {
    await anAdvocate(table, program, { slug: 'jane' });
    await putCode(table, program.id, { code: 'JANE20', slug: 'jane' });
    const lines = ['a@b.example,a,friends,', 'b@b.example,b,,B b new', 'c@b.example,c,,C jane20', 'd@b.example,d,,"é"'];
    const content = ['email,slug,group,codes', ...lines].join('\n');
    const unknown = { line: 2, reason: 'group is not a group of the program: create it with `group set` first' };
    const malformed = { line: 5, reason: 'codes must be 1 to 64 letters, digits, hyphens or underscores' };
    await expectUnchanged(table, async () => {
      const report = await imported('advocate', content, '--dry-run');
      expect(report).toEqual({ created: 2, skipped: 0, failed: [unknown, malformed] });
    });
    const taken = { line: 4, reason: 'codes contains a code of another advocate' };
    expect(await imported('advocate', content)).toEqual({
      created: 1,
      skipped: 0,
      failed: [unknown, taken, malformed],
    });
    const owners = [
      ['B', 'b'],
      ['C', 'c'],
      ['JANE20', 'jane'],
      ['NEW', 'b'],
    ];
    expect(await codesOf(program)).toEqual(owners.map((owner) => [...owner, true]));
    // The repaired lines complete the import.
    await aGroup(table, program, 'friends');
    const repaired = content.replace('jane20', 'C20').replace('"é"', 'D');
    expect(await imported('advocate', repaired)).toEqual({ created: 3, skipped: 1, failed: [] });
  });
});

test('a referral is imported with the rules in its line, with none for an empty cell, or with its advocate’s', async () => {
  program = await setRules(table, program, RULES);
  const id = commissionRulesId(RULES);
  await anAdvocate(table, program, { slug: 'jane' });
  const header = 'advocate_slug,state,uid,commission_rules_id,commission_percentage';
  const known =
    'commission_rules_id is not known in the program: set the same rules with `program update` or `group set` first';
  const cases = [
    ['0123456789abcdef,', known],
    ['none,', 'commission_rules_id must be the id of commission rules: 16 characters of 0-9 and a-f'],
    [`${id},5`, 'commission_percentage must be empty if commission_rules_id is set'],
  ];
  const bad = cases.map(([cells], index) => `jane,paid,bad-${index},${cells}`);
  const content = [header, `jane,paid,ruled,${id},`, 'jane,paid,rated,,5', ...bad].join('\n');
  const failed = cases.map(([, reason], index) => ({ line: index + 4, reason }));
  expect(await imported('referral', content)).toEqual({ created: 2, skipped: 0, failed });
  expect(await imported('referral', 'advocate_slug,state,uid\njane,paid,new')).toMatchObject({ created: 1 });
  const termsOf = async (uid: string) => {
    const shown = Object(await jsonHere(table, 'referral', 'show', '--program', program.id, '--uid', uid));
    return [shown.commission_rules_id, shown.commission_percentage, shown.commission_end_date];
  };
  expect([await termsOf('ruled'), await termsOf('new')]).toEqual(Array(2).fill([id, null, null]));
  expect((await termsOf('rated')).slice(0, 2)).toEqual([null, 5]);
});

describe('payments of a program with rules', () => {
  const CUSTOMERS = 8;
  const lines = Array.from({ length: 40 }, (_, index) => {
    const refunded = index % 7 === 0 ? '250' : '';
    return `in_${index},c-${index % CUSTOMERS},1000,usd,${1_760_000_000 + index},${refunded}`;
  });
  /** The lines in another order, from which every batch of the import would get both old and new payments. */
  const shuffled = lines.map((_, index) => lines[(index * 27 + 11) % lines.length] ?? '');
  const contentOf = (rows: readonly string[]) =>
    ['payment_id,uid,amount_minor,currency,paid_at,refunded_minor', ...rows].join('\n');

  async function aProgramOfCustomers(): Promise<Program> {
    const ruled = await aRuledProgram(table, RULES);
    const jane = await anAdvocate(table, ruled, { slug: 'jane' });
    const terms = { commissionRulesId: commissionRulesId(RULES), commissionPercentage: null, commissionEndDate: null };
    for (let index = 0; index < CUSTOMERS; index += 1) {
      await aReferral(table, ruled, jane, { customerUid: `c-${index}`, ...terms });
    }
    return ruled;
  }
  const decided = async (of: Program) =>
    (await entriesOf(table, of))
      .map(({ kind, paymentId, rule, commission }) => `${paymentId} ${kind} ${rule} ${commission}`)
      .toSorted();

  test.each([
    ['in order', lines],
    ['shuffled', shuffled],
  ])('a file %s records the oldest payment first, also if it dies at any of its writes', async (_, rows) => {
    const path = await file(contentOf(rows));
    // Of a customer, the first payment earns $3, two more half of their amount, and later ones a tenth.
    const expected = lines.map((__, index) => {
      const number = Math.floor(index / CUSTOMERS);
      const [rule, commission] = number === 0 ? [1, 300] : number < 3 ? [2, 500] : [3, 100];
      return `in_${index} payment ${rule} ${commission}`;
    });
    for (let write = 0, hasDied = true; hasDied; write += 1) {
      program = await aProgramOfCustomers();
      const run = () => adminHere(table, 'ledger', 'import', '--program', program.id, '--file', path);
      hasDied = await dyingAt(table, { write, isExecuted: write % 2 === 0 }, run);
      const { created, skipped, failed } = await importing(table, 'ledger', program.id, path);
      expect({ lines: created + skipped, failed }).toEqual({ lines: lines.length, failed: [] });
      const all = await decided(program);
      expect(all.filter((entry) => entry.includes('payment'))).toEqual(expected.toSorted());
      expect(all.filter((entry) => entry.includes('refund'))).toHaveLength(6);
      if (!hasDied) expect(write).toBeGreaterThan(2);
    }
  });

  test('a program whose only group has rules sorts as well, and failed lines keep their numbers', async () => {
    await aGroup(table, program, 'creators', RULES);
    const jane = await anAdvocate(table, program, { slug: 'jane', group: 'creators' });
    const uid = newId();
    const terms = { commissionRulesId: commissionRulesId(RULES), commissionPercentage: null, commissionEndDate: null };
    await aReferral(table, program, jane, { customerUid: uid, ...terms });
    const rows = [
      `new,${uid},1000,usd,1760000002,`,
      'bad,nobody,1000,usd,1760000000,',
      `old,${uid},1000,usd,1760000001,`,
    ];
    const report = await importing(table, 'ledger', program.id, await file(contentOf(rows)));
    expect(report).toMatchObject({ created: 2, failed: [{ line: 3 }] });
    expect(await decided(program)).toEqual(['new payment 2 500', 'old payment 1 300']);
  });
});
