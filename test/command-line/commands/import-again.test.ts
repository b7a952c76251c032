import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { emailKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { storeReferrals } from '../../../functions/referrals/operator/referral-import.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { toReferralItem } from '../../../functions/referrals/table/referral-item.ts';
import { adminHere, importing, jsonHere, useFiles } from '../../support/admin-here.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { itemsOf } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const file = useFiles();

let program: Program;
let jane: Advocate;
beforeEach(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program, { slug: 'jane' });
});

const imported = async (...lines: readonly string[]) =>
  importing(table, 'referral', program.id, await file(lines.join('\n')));
const taken = (line: number, name: string) => ({ line, reason: `${name} belongs to another referral` });
const SKIPPED = { created: 0, skipped: 1, failed: [] };
const command = (verb: string, ...args: string[]) =>
  jsonHere(table, 'referral', verb, '--program', program.id, ...args);

describe('lines whose customer already has a referral', () => {
  const HEADER = 'id,advocate_slug,state,email,uid';
  const email = 'ann@shop.example';
  const uid = 'cus_1';
  const failed = (name: string) => ({ created: 0, skipped: 0, failed: [taken(2, name)] });

  test.each([
    [{ email }, ' Ann@SHOP.example ,', SKIPPED],
    [{ email, customerUid: uid }, `,${uid}`, SKIPPED],
    [{ email, customerUid: uid }, `${email},CUS_1`, failed('email')],
    [{ email, customerUid: uid }, `bob@shop.example,${uid}`, failed('uid')],
  ])('a line of a known customer is skipped or fails: %j, then "%s"', async (customer, line, report) => {
    await aReferral(table, program, jane, customer);
    await expectUnchanged(table, async () => {
      expect(await imported(HEADER, `,jane,churned,${line}`)).toEqual(report);
    });
  });

  test('an id, email or uid belongs to the first line of a file, at any distance and in every run', async () => {
    const id = newId();
    const filler = Array.from({ length: 1200 }, (_, index) => `,jane,paid,,filler-${index}`);
    const lines = [
      HEADER,
      ',jane,paid,a@shop.example,',
      ',jane,paid,a@shop.example,',
      ',jane,churned,A@shop.example,a',
      ',jane,paid,,b',
      ',jane,churned,c@shop.example,b',
      `${id},jane,paid,d@shop.example,`,
      `${id},jane,paid,e@shop.example,`,
      ...filler,
      ',jane,paid,,filler-0',
      ',jane,paid,a@shop.example,c',
      ',jane,paid,f@shop.example,b',
      `${id},jane,paid,,d`,
    ];
    const near = [taken(4, 'email'), taken(6, 'uid'), taken(8, 'id')];
    const failed = [...near, taken(1210, 'email'), taken(1211, 'uid'), taken(1212, 'id')];
    expect(await imported(...lines)).toEqual({ created: 1203, skipped: 2, failed });
    await expectUnchanged(table, async () => {
      expect(await imported(...lines)).toEqual({ created: 0, skipped: 1205, failed });
    });
  });

  test('an id, email or uid that was not imported still belongs to its referral', async () => {
    const other = await anAdvocate(table, program);
    const { slug } = other;
    const known = await aReferral(table, program, other, { customerUid: 'known' });
    const click = await aClick(table, program, other);
    const lines = [
      `,jane,paid,${known.email},`,
      ',jane,paid,,known',
      `${known.id},jane,paid,${known.email},`,
      `${known.id},${slug},paid,new@shop.example,`,
      `${known.id},${slug},paid,,known`,
      `${click.id},jane,clicked,,`,
      `${click.id},${slug},clicked,,`,
    ];
    const failed = [taken(2, 'email'), taken(3, 'uid'), taken(4, 'id'), taken(5, 'id'), taken(7, 'id')];
    await expectUnchanged(table, async () => {
      expect(await imported(HEADER, ...lines)).toEqual({ created: 0, skipped: 2, failed });
    });
  });

  test.each([true, false])('a claim without a visible referral is known once it is visible: %s', async (isVisible) => {
    const put = (Item: object) => table.client.send(new PutCommand({ TableName: table.name, Item }));
    // A referral whose item is not stored yet in this program.
    const referral: Referral = await aReferral(table, await aProgram(table), jane, { email });
    await put({ ...emailKey(program.id, email), referral: referral.id });
    const show = () => put(toReferralItem(program.id, referral));
    if (isVisible) {
      beforeNext(table, 'BatchGetItemCommand', async () => beforeNext(table, 'BatchGetItemCommand', show));
    }
    const line = { referral: { ...referral, id: newId() }, hasId: false };
    expect(await storeReferrals(table, program.id, [line])).toEqual([isVisible ? 'known' : 'email taken']);
  });
});

describe('contradictions of earlier lines', () => {
  const HEADER = 'id,advocate_slug,email,uid,state,sub_id,commission_percentage,commission_end_date,flags,created_at';
  const START = 1_700_000_000;
  const FIRST = `,jane,ann@shop.example,u1,paid,spring,20,${START + 1},,${START}`;
  const run = async (lines: readonly string[], ...options: string[]) => {
    const path = await file(lines.join('\n'));
    return adminHere(table, 'referral', 'import', '--program', program.id, '--file', path, '--json', ...options);
  };
  const ended = (created: number, skipped: number, stderr = '') => ({
    status: 0,
    stdout: `{"created":${created},"skipped":${skipped},"failed":[]}\n`,
    stderr,
  });
  const warning = (count: number, numbers: string) =>
    `${count} of the skipped lines ${count === 1 ? 'contradicts' : 'contradict'} an earlier line or import of the same customer: ${numbers}. What was imported first stays.\n`;

  test.each([
    ['in its state', `,jane,ann@shop.example,,churned,,,,,${START}`],
    ['in its sub id', `,jane,ann@shop.example,,paid,autumn,,,,${START}`],
    ['in the end of the commission', `,jane,ann@shop.example,,paid,,,${START + 2},,${START}`],
  ])('a contradiction %s is skipped with a warning without an email, also in a dry run', async (_, line) => {
    // The last line has fewer values and another order of the customer, which is no contradiction.
    const lines = [HEADER, FIRST, ',jane,,u2,paid,,,,,', line, `,jane,ann@shop.example,,paid,,,,,${START + 5}`];
    expect(await run(lines, '--dry-run')).toEqual(ended(2, 2, warning(1, '4')));
    expect(await run(lines)).toEqual(ended(2, 2, warning(1, '4')));
    await expectUnchanged(table, async () => expect(await run(lines)).toEqual(ended(0, 4, warning(1, '4'))));
  });

  test('no warning is printed for a referral that has changed since its import', async () => {
    const lines = ['advocate_slug,email,state', 'jane,ann@shop.example,converted'];
    expect(await run(lines)).toEqual(ended(1, 0));
    await command('set-state', '--email', 'ann@shop.example', '--state', 'paid');
    expect(await run(lines)).toEqual(ended(0, 1));
  });
});

describe('people who were imported and erased', () => {
  const COLUMNS = ['id', 'advocate_slug', 'state', 'email', 'uid', 'sub_id', 'created_at'];
  const START = 1_700_000_000;
  const EMAIL = 'ann@shop.example';
  const UID = 'customer-ann';
  const lineOf = (id = '') => `${id},jane,paid,${EMAIL},${UID},spring,${START}`;
  const importedPeople = (...lines: string[]) => imported(COLUMNS.join(','), ...lines);
  const CREATED = { created: 1, skipped: 0, failed: [] };

  test('an erased person becomes a new referral', async () => {
    expect(await importedPeople(lineOf())).toEqual(CREATED);
    const { id } = Object(await command('erase', '--email', EMAIL));
    expect(JSON.stringify(await itemsOf(table, program))).not.toContain(UID);
    expect(await importedPeople(lineOf())).toEqual(CREATED);
    expect(await command('show', '--id', id)).toMatchObject({ email: null, uid: null, state: 'paid' });
    expect(await importedPeople(lineOf())).toEqual(SKIPPED);
  });

  test('a person whose line has an id stays erased if the file is imported again', async () => {
    const text = lineOf(newId(START));
    expect(await importedPeople(text)).toEqual(CREATED);
    await command('erase', '--email', EMAIL);
    await expectUnchanged(table, async () => expect(await importedPeople(text)).toEqual(SKIPPED));
  });
});
