import { createHash } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { Referral } from '../../../functions/domain/referral/referral.ts';
import { emailKey } from '../../../functions/table/keys.ts';
import { storeReferrals } from '../../../functions/table/operator/referral-import.ts';
import { toReferralItem } from '../../../functions/table/referrals/referral-item.ts';
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
    [{ email, customerUid: uid }, `${email},`, SKIPPED],
    [{ email, customerUid: uid }, `,${uid}`, SKIPPED],
    [{ email, customerUid: uid }, `${email},${uid}`, SKIPPED],
    [{ email }, `${email},${uid}`, failed('email')],
    [{ email, customerUid: uid }, `${email},CUS_1`, failed('email')],
    [{ email, customerUid: uid }, `bob@shop.example,${uid}`, failed('uid')],
    [{ email: null, customerUid: uid }, `${email},${uid}`, failed('uid')],
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
    ['in its state, named by its uid', `,jane,,u1,rejected,,,,,${START}`],
    ['in its sub id', `,jane,ann@shop.example,,paid,autumn,,,,${START}`],
    ['in its rate', `,jane,ann@shop.example,,paid,,10,,,${START}`],
    ['in the end of the commission', `,jane,ann@shop.example,,paid,,,${START + 2},,${START}`],
    ['in its flags', `,jane,ann@shop.example,,paid,,,,self_referral,${START}`],
  ])('a contradiction %s is skipped with a warning without an email, also in a dry run', async (_, line) => {
    // The last line has fewer values and another order of the customer, which is no contradiction.
    const lines = [HEADER, FIRST, ',jane,,u2,paid,,,,,', line, `,jane,ann@shop.example,,paid,,,,,${START + 5}`];
    expect(await run(lines, '--dry-run')).toEqual(ended(2, 2, warning(1, '4')));
    expect(await run(lines)).toEqual(ended(2, 2, warning(1, '4')));
    await expectUnchanged(table, async () => expect(await run(lines)).toEqual(ended(0, 4, warning(1, '4'))));
  });

  test('a contradiction is reported at any distance, and by id or by customer', async () => {
    const id = newId();
    const filler = Array.from({ length: 100 }, (_, index) => `,jane,,filler-${index},paid,,,,,`);
    const lines = [HEADER, ',jane,,u1,paid,,,,,', `${id},jane,,u3,paid,,,,,`, ...filler];
    const far = [',jane,,u1,rejected,,,,,', `${id},jane,,u3,churned,,,,,`];
    expect(await run([...lines, ...far])).toEqual(ended(102, 2, warning(2, '104, 105')));
  });

  test('no warning is printed for a referral that has changed since its import', async () => {
    const lines = ['advocate_slug,email,state', 'jane,ann@shop.example,converted'];
    expect(await run(lines)).toEqual(ended(1, 0));
    await command('set-state', '--email', 'ann@shop.example', '--state', 'paid');
    expect(await run(lines)).toEqual(ended(0, 1));
  });

  test('a line with more customers at Stripe than a referral stores is skipped with a warning', async () => {
    const cells = Array.from({ length: 22 }, (_, index) => `jane,u1,paid,cus_${index}`);
    const lines = ['advocate_slug,uid,state,stripe_customer', ...cells];
    expect(await run(lines, '--dry-run')).toEqual(ended(1, 21, warning(2, '22, 23')));
    expect(await run(lines)).toEqual(ended(1, 21, warning(2, '22, 23')));
  });
});

describe('people who were imported and erased', () => {
  interface Person {
    readonly email: string;
    readonly uid: string;
  }
  const COLUMNS = ['id', 'advocate_slug', 'state', 'email', 'uid', 'sub_id', 'created_at'];
  const START = 1_700_000_000;
  const ann = { email: 'ann@shop.example', uid: 'customer-ann' };
  const bob = { email: 'robert@shop.example', uid: 'customer-b' };
  const lineOf = ({ email, uid }: Person, id = '') => `${id},jane,paid,${email},${uid},spring,${START}`;
  const importedPeople = (...lines: string[]) => imported(COLUMNS.join(','), ...lines);
  const created = (count: number) => ({ created: count, skipped: 0, failed: [] });

  /** Returns the values of a person in the table, and their digests. */
  async function tracesOf({ email, uid }: Person): Promise<string[]> {
    const left = JSON.stringify(await itemsOf(table, program));
    const digests = [email, uid].map((value) => createHash('sha256').update(value).digest('hex'));
    return [email, uid, ...digests].filter((value) => left.includes(value));
  }

  test('an erased person leaves neither value nor digest in the table, and becomes a new referral', async () => {
    const text = lineOf(ann);
    expect(await importedPeople(text, lineOf(bob))).toEqual(created(2));
    // Without this check, the test could search for values that are never stored.
    expect(await tracesOf(ann)).toHaveLength(4);
    const { id } = Object(await command('erase', '--email', ann.email));
    expect(await importedPeople(lineOf(bob))).toEqual(SKIPPED);
    expect(await tracesOf(ann)).toEqual([]);
    expect(await importedPeople(text)).toEqual(created(1));
    expect(await command('show', '--id', id)).toMatchObject({ email: null, uid: null, state: 'paid' });
    const fresh = Object(await command('show', '--email', ann.email)).id;
    expect(fresh.slice(-12)).not.toBe(id.slice(-12));
    expect(await importedPeople(text)).toEqual(SKIPPED);
  });

  test('a person whose line has an id stays erased if the file is imported again', async () => {
    const text = lineOf(ann, newId(START));
    expect(await importedPeople(text)).toEqual(created(1));
    await command('erase', '--email', ann.email);
    await expectUnchanged(table, async () => expect(await importedPeople(text)).toEqual(SKIPPED));
  });
});
