import { beforeEach, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { parseCode } from '../../../functions/people/http/mapping.ts';
import { confirmApplication } from '../../../functions/people/table/applications/confirm.ts';
import { sendApplication } from '../../../functions/people/table/applications/send.ts';
import { changePeopleSettings } from '../../../functions/people/table/people-settings.ts';
import { adminHere, jsonHere } from '../../support/admin-here.ts';
import { applicationOf } from '../../support/applications.ts';
import { anAdvocate, aProgram, newId } from '../../support/program.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const WEBSITE = { key: 'website', label: 'Your website', kind: 'url', required: false, options: [] } as const;
const SENT =
  'With emails=on, the advocate gets an email with its link and how to sign in, unless it got one today. Locally, see the page /outbox.';

let program: Program;
beforeEach(async () => {
  program = await aProgram(table);
  await changePeopleSettings(table, program.id, { applications: 'review', applicationFields: [WEBSITE] });
});

const on = (line: string) => [...line.split(' '), '--program', program.id];
const run = (line: string) => adminHere(table, ...on(line));
const json = async (line: string) => Object(await jsonHere(table, ...on(line)));

/** Applies, confirms the address, and returns the id of the application. */
async function pending(firstName: string): Promise<string> {
  const email = `${firstName.toLowerCase()}@x.example`;
  const answers = { website: `https://${firstName.toLowerCase()}.example` };
  await sendApplication(table, program.id, { email, firstName, lastName: 'Doe', answers, termsVersion: null });
  const code = parseCode({ code: await applicationOf(table, program, email) });
  return (await confirmApplication(table, code)).id;
}

test('applications are listed, approved and rejected, as JSON and as text', async () => {
  expect((await run('application list')).stdout).toBe('There are no such applications.\n');
  const [ida, noor] = [await pending('Ida'), await pending('Noor')];
  const shown = (id: string, name: string) => ({
    ...{ id, state: 'pending', email: `${name.toLowerCase()}@x.example`, first_name: name, last_name: 'Doe' },
    answers: [{ key: 'website', label: 'Your website', answer: `https://${name.toLowerCase()}.example` }],
    ...{ terms_version: null, created_at: expect.any(Number), confirmed_at: expect.any(Number), flags: [] },
    ...{ decided_at: null, affiliate_slug: null, note: null, notify: null, may_apply_again: null },
  });
  const both = [shown(noor, 'Noor'), shown(ida, 'Ida')];
  expect(await json('application list')).toEqual(expect.arrayContaining(both));
  const { stdout } = await run('application list --limit 1');
  expect(stdout).toMatch(
    /│ (noor|ida)@x\.example │ (Noor|Ida) +│ Doe +│ Your website: https:\/\/(noor|ida)\.example │ – /,
  );
  expect(stdout).toMatch(/│\n.*┘\nThere are more applications\. Raise --limit\.\n$/);

  const approve = `application approve --id ${ida.toUpperCase()} --commission-percentage 25 --last-name Roe`;
  const advocate = await json(approve);
  expect(advocate).toMatchObject({ slug: 'ida-roe', email: 'ida@x.example', commission_percentage: 25 });
  await expectUnchanged(table, async () => {
    expect(await json(approve)).toEqual(advocate);
    expect((await run(approve)).stdout).toMatch(/\nThe application was approved before\. .*\n$/);
  });
  const reject = `application reject --id ${noor} --note Sorry --notify --may-apply-again`;
  const decision = { state: 'rejected', note: 'Sorry', notify: true, may_apply_again: true };
  const rejected = { ...shown(noor, 'Noor'), ...decision, decided_at: expect.any(Number) };
  expect(await json(reject)).toEqual(rejected);
  expect((await run(reject)).stdout).toMatch(/│ answers +│ Your website: https:\/\/noor\.example +│\n/);
  expect(await json('application list')).toEqual([]);
  expect(await json('application list --state rejected')).toEqual([rejected]);
  expect(await json('application list --state approved')).toMatchObject([{ id: ida, affiliate_slug: 'ida-roe' }]);
  const sam = await json(`application reject --id ${await pending('Sam')}`);
  expect(sam).toMatchObject({ state: 'rejected', note: null, notify: false, may_apply_again: false });
  expect((await run(`application approve --id ${await pending('Lea')} --slug lea`)).stdout.split('\n').at(-2)).toBe(
    SENT,
  );
});

test('an advocate is invited once in 24 hours', async () => {
  const { slug } = await anAdvocate(table, program);
  const invite = () => run(`advocate invite --advocate ${slug}`);
  const { stdout } = await invite();
  expect([stdout.includes(`│ ${slug} `), stdout.split('\n').at(-2)]).toEqual([true, SENT]);
  await expectUnchanged(table, async () => expect((await invite()).stdout).toBe(stdout));
});

test('people erase deletes the application of an address, and of no other', async () => {
  const [ida] = [await pending('Ida'), await pending('Noor')];
  await json('people erase --email noor@x.example');
  expect(await json('application list')).toMatchObject([{ id: ida }]);
});

test('commands about applications that cannot succeed say what to do, and change nothing', async () => {
  const [id, rejected, approved] = [await pending('Ida'), await pending('Noor'), await pending('Sam')];
  await run(`application reject --id ${rejected}`);
  const { slug } = await json(`application approve --id ${approved}`);
  await expectUnchanged(table, async () => {
    for (const [line, status, sentence] of [
      [`application approve --id ${newId()}`, 1, /^No confirmed application .* Run `application list`/],
      [`application reject --id ${'x'.repeat(5000)}`, 1, /^No confirmed application .* Run `application list`/],
      [`application approve --id ${rejected}`, 1, /^The application was approved or rejected before\. Run/],
      [`application reject --id ${approved}`, 1, /^The application was approved or rejected before\. Run/],
      [
        `application approve --id ${id} --slug ${slug}`,
        1,
        /^Another advocate .* has this slug\. Choose another --slug/,
      ],
      [`application approve --id ${id} --group nobody`, 2, /^--group must/],
      [`application approve --id ${id} --slug a.b`, 2, /^--slug must/],
      [`application reject --id ${id} --note ${'x'.repeat(1001)}`, 2, /^--note must be 1 to 1000 characters long/],
      ['application list --state open', 2, /Allowed choices are unconfirmed, pending, approved, rejected/],
    ] as const) {
      const outcome = { status, stdout: '', stderr: expect.stringMatching(sentence) };
      expect([line, await run(line)]).toEqual([line, outcome]);
    }
  });
});
