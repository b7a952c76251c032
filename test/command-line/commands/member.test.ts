import { beforeEach, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { SCOPES } from '../../../functions/kernel/accounts/rules/token.ts';
import { readMembers } from '../../../functions/kernel/accounts/table/members.ts';
import { addressHash } from '../../../functions/kernel/address.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { makeLinkCode } from '../../../functions/people/rules/link-code.ts';
import { markAsSent } from '../../../functions/people/table/sent-emails.ts';
import { signIn } from '../../../functions/people/table/sessions.ts';
import { requestLink } from '../../../functions/people/table/sign-in-links.ts';
import { adminHere, jsonHere } from '../../support/admin-here.ts';
import { sendToHandlers } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aSession, newId, now } from '../../support/program.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const HOW = 'With emails=on, the member gets an email that says how to sign in. Locally, see the page /outbox.';
const SAM = '--email Sam@Example.com --scopes payouts,read --name Sam';
const BOSS = '--email boss@example.com --scopes admin';

let program: Program;
beforeEach(async () => {
  program = await aProgram(table);
});

const on = (line: string) => [...line.split(' '), '--program', program.id];
const run = (line: string) => adminHere(table, ...on(line));
const json = async (line: string) => Object(await jsonHere(table, ...on(line)));

/** Stores the code of a link that signs a member or an advocate in. */
async function aLink(email: string, { member = null, slug = null }: { member?: string | null; slug?: string | null }) {
  const code = makeLinkCode(program.id, addressHash(email), table.random);
  const stored = {
    purpose: 'sign_in',
    slug,
    member,
    application: null,
    emailVersion: 0,
    expiresAt: seconds(now() + 900),
  } as const;
  await markAsSent(table, { program: program.id, name: newId(), people: [], codes: [{ code, stored }] });
  return code;
}

test('a member is created, listed, changed and removed, as JSON and as text', async () => {
  const none = 'The program has no members yet. Run `member create` to create one.\n';
  expect((await run('member list')).stdout).toBe(none);
  const boss = await json(`member create ${BOSS}`);
  const sam = { id: expect.any(String), email: 'sam@example.com', name: 'Sam', scopes: ['read', 'payouts'] };
  const created = await json(`member create ${SAM}`);
  expect(created).toEqual({ ...sam, created_at: expect.any(Number), last_signed_in_at: null });
  await expectUnchanged(table, async () => {
    const { stdout } = await run(`member create ${SAM}`);
    expect(stdout).toMatch(/│ email +│ sam@example\.com +│\n│ name +│ Sam +│\n│ scopes +│ read +│\n│ +│ payouts +│/);
    expect(stdout.split('\n').at(-2)).toBe(HOW);
  });
  const upper = created.id.toUpperCase();
  const changed = { ...created, name: null, scopes: ['read', 'track'] };
  expect(await json(`member update --id ${upper} --no-name --scopes track,read`)).toEqual(changed);
  expect(await json('member list')).toEqual(expect.arrayContaining([boss, changed]));
  expect((await run('member list')).stdout).toMatch(
    new RegExp(`│ ${created.id} +│ sam@example\\.com +│ – +│ read +│ \\d{4}-\\S+Z +│ – +│\\n│ +│ +│ +│ track +│`),
  );
  expect(await json(`member remove --id ${upper}`)).toEqual({ ...changed, tokens: [] });
  expect(await json('member list')).toEqual([boss]);
});

test('a token of a member shows the member and ends with it, and sessions are in no list of tokens', async () => {
  await json(`member create ${BOSS}`);
  const { id: member } = await json('member create --email ida@example.com --scopes read,admin');
  const session = await signIn(table, await aLink('ida@example.com', { member }), false);
  await aSession(table, program, await anAdvocate(table, program));
  const send = sendToHandlers(table);
  const request = { operation: 'createProgramToken', body: { scopes: ['read'], name: 'Sheet' } } as const;
  const { id, attributes } = (await send({ ...request, token: session.token })).json.data;
  expect(attributes.member_id).toBe(member);
  const get = { operation: 'getProgram', token: attributes.token } as const;
  const shown = { id: member, name: null, email: 'ida@example.com' };
  expect((await send({ operation: 'getProgram', token: session.token })).json.meta.token).toMatchObject({
    signed_in: true,
    member: shown,
  });
  expect((await send(get)).json.meta.token).toEqual({
    id,
    ...request.body,
    expires_at: null,
    signed_in: false,
    member: shown,
  });
  expect(await json('token list')).toEqual([expect.objectContaining({ id, name: 'Sheet', member_id: member })]);
  expect((await run('token list')).stdout).toContain(`│ ${member} │`);
  const unknown = /^No token of the program has the id in --id/;
  expect((await run(`token revoke --id ${session.record.id}`)).stderr).toMatch(unknown);
  const { stdout } = await run(`member remove --id ${member}`);
  expect(stdout).toMatch(new RegExp(`\\nTokens that ended:\\n(.*\\n)+│ ${id} │`));
  const fresh = sendToHandlers(table);
  for (const token of [session.token, get.token]) expect((await fresh({ ...get, token })).status).toBe(401);
});

test('commands that cannot succeed say what to do, and change nothing', async () => {
  const { id } = await json(`member create ${BOSS}`);
  await expectUnchanged(table, async () => {
    for (const [line, status, sentence] of [
      [`member create ${BOSS},all`, 2, /^--scopes must be some of read, track, advocates, payouts, admin/],
      ['member create --email boss --scopes read', 2, /^--email must be/],
      [`member create ${BOSS} --name ${'x'.repeat(300)}`, 2, /^--name must/],
      [`member update --id ${id}`, 2, /^Give at least one option/],
      [`member create ${BOSS} --name Boss`, 1, /^A member with another name .* Run `member update`/],
      [`member remove --id ${newId()}`, 1, /^No member of the program has the id in --id/],
      [`member update --id ${id} --scopes read`, 1, /^One member must have the scope admin\. Give it/],
      [`member remove --id ${id}`, 1, /^One member must have the scope admin\. Give it/],
    ] as const) {
      expect(await run(line)).toEqual({ status, stdout: '', stderr: expect.stringMatching(sentence) });
    }
  });
});

test('program create --owner makes the first member, who may do everything', async () => {
  const create = 'program create --name N --site-url https://n.example --commission-percentage 0 --owner'.split(' ');
  const { id } = Object(await jsonHere(table, ...create, 'Owner@n.example'));
  const owner = { email: 'owner@n.example', name: null, scopes: SCOPES };
  expect((await readMembers(table, id)).members).toMatchObject([owner]);
  expect((await adminHere(table, ...create, owner.email)).stdout).toMatch(`\n${HOW}\n`);
  const invalid = { status: 2, stdout: '', stderr: expect.stringMatching(/^--owner must be/) };
  await expectUnchanged(table, async () => expect(await adminHere(table, ...create, 'owner')).toEqual(invalid));
});

test('people erase ends the links of an address, and keeps its limits and the links of others', async () => {
  const linkOf = async (email: string) => aLink(email, await anAdvocate(table, program, { email }));
  const [own, others] = [await linkOf('jane@example.com'), await linkOf('joe@example.com')];
  const limit = { address: addressHash('jane@example.com'), page: 'portal' } as const;
  await requestLink(table, program.id, limit);
  const erased = 'No application of this address is left, and no link in an earlier email to it works any more.\n';
  const erase = 'people erase --email JANE@example.com';
  expect(await run(erase)).toEqual({ status: 0, stdout: erased, stderr: '' });
  await expect(signIn(table, own, false)).rejects.toThrow(/The link was used/);
  await expect(signIn(table, others, false)).resolves.toMatchObject({ record: { kind: 'affiliate' } });
  expect(await requestLink(table, program.id, limit)).toBe(false);
  // As over the API, the response does not say whether there was a code.
  expect(await json(erase)).toEqual({ program: program.id, erased: true });
});
