import { beforeAll, expect, test } from '@jest/globals';
import type { Advocate } from '../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { addressHash } from '../../functions/kernel/address.ts';
import type { EmailCause } from '../../functions/people/rules/email-cause.ts';
import type { SignInPage } from '../../functions/people/rules/link-budget.ts';
import { createMember } from '../../functions/people/table/members.ts';
import { SENT_LINK, UNSENT_LINK } from '../bench/costs.ts';
import { LINK_REQUEST } from '../bench/flood.ts';
import { type ApiRequest, sendToHandlers } from '../support/drivers.ts';
import { metered } from '../support/meter.ts';
import { codeIn, mailboxOf, messageOf } from '../support/people.ts';
import { anAdvocate, aProgram, aToken, newId } from '../support/program.ts';
import { expectUsage } from '../support/usage.ts';
import { useCountingTable } from '../support/use-table.ts';

const table = useCountingTable();
const [SIGN_INS, SESSIONS, READS, WRITES] = Array.from({ length: 4 }, () => sendToHandlers(table));
let program: Program;
let jane: Advocate;
let token: string;
beforeAll(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
  token = await aToken(table, program);
  await createMember(table, program.id, { email: 'sam@acme.example', name: 'Sam', scopes: ['admin', 'read'] });
});

const signInOf = (email: string | null, page: SignInPage, request = newId()): EmailCause => {
  return { kind: 'sign_in', page, address: addressHash(email ?? ''), request };
};
async function codeFor(email: string | null, page: SignInPage): Promise<string> {
  const mailbox = mailboxOf(table);
  await mailbox.deliver(messageOf(table, program.id, signInOf(email, page)));
  return codeIn(mailbox.emails[0] ?? { text: '' });
}

test('a request for a link costs the same for every address, also over the limit', async () => {
  const ask = (email: string | null): ApiRequest => {
    return { operation: 'requestSignIn', body: { pk: program.publicKey, email, page: 'portal' } };
  };
  await expectUsage(table, SIGN_INS, [
    ['with a cold function', ask('cold@x.example'), 204, 3, 2, 1],
    ['of an advocate', ask(jane.email), 204, 2, LINK_REQUEST.readUnits, LINK_REQUEST.writeUnits],
    ['of nobody', ask('nobody@x.example'), 204, 2, 1, 1],
    ['of an advocate, over the limit', ask(jane.email), 204, 2, 1, 1],
    ['of nobody, over the limit', ask('nobody@x.example'), 204, 2, 1, 1],
  ]);
});

test('a sign-in takes two reads and a transaction, and a session is checked with two reads once', async () => {
  const session = (code: string): ApiRequest => ({ operation: 'createSession', body: { code } });
  const first = await codeFor(jane.email, 'portal');
  await expectUsage(table, SESSIONS, [
    ['the first one of an advocate', session(first), 201, 3, 2, 7],
    ['a used code', session(first), 400, 1, 1, 0],
    ['the next one of an advocate', session(await codeFor(jane.email, 'portal')), 201, 3, 2, 5],
    ['of a member', session(await codeFor('sam@acme.example', 'dashboard')), 201, 3, 2, 7],
  ]);
  const own = async (email: string | null, page: SignInPage): Promise<string> =>
    (await sendToHandlers(table)(session(await codeFor(email, page)))).json.data.attributes.token;
  const [advocate, member] = [await own(jane.email, 'portal'), await own('sam@acme.example', 'dashboard')];
  const byEmail: ApiRequest = { operation: 'listAdvocatesV2', token: member, query: `email_eq=${jane.email}` };
  await expectUsage(table, READS, [
    ['an advocate, whose session is new', { operation: 'getAffiliate', token: advocate }, 200, 2, 1.5, 0],
    ['an advocate', { operation: 'getAffiliate', token: advocate }, 200, 0, 0, 0],
    ['a member, whose session is new', { operation: 'listMembers', token: member }, 200, 3, 2.5, 0],
    ['a member', { operation: 'listMembers', token: member }, 200, 1, 1, 0],
    ['the advocates with an email, with a cold function', byEmail, 200, 4, 2.5, 0],
    ['the advocates with an email', byEmail, 200, 2, 1, 0],
  ]);
});

test('an advocate is created with its email, changed, and signed out with few requests', async () => {
  const { slug } = await anAdvocate(table, program);
  const create = (email: string): ApiRequest => ({
    operation: 'createAdvocate',
    token,
    body: { email, slug: newId() },
  });
  const update = (body: object): ApiRequest => ({ operation: 'updateAdvocate', token, slug, body });
  await expectUsage(table, WRITES, [
    ['a new advocate, with a cold function', create('a@x.example'), 201, 2, 0.5, 5],
    ['another name', update({ first_name: 'J' }), 200, 2, 1, 3],
    ['another email', update({ email: 'new@x.example' }), 200, 2, 1, 7],
    ['an erasure', { operation: 'eraseAdvocate', token, slug }, 204, 4, 3, 7],
  ]);
});

test('an email takes four reads and one transaction, and one that nobody gets is not marked', async () => {
  const lena = await anAdvocate(table, program);
  const usage = async (cause: EmailCause) => {
    const { requests, readUnits, writeUnits } = await metered(table, () =>
      mailboxOf(table).deliver(messageOf(table, program.id, cause)),
    );
    return [requests, readUnits, writeUnits];
  };
  const paying = (day: string): EmailCause => ({ kind: 'paying', slug: lena.slug, day });
  expect(await usage(signInOf(lena.email, 'portal'))).toEqual([5, SENT_LINK.readUnits, SENT_LINK.writeUnits]);
  expect(await usage(paying('2026-11-01'))).toEqual([6, 4, 6]);
  expect(await usage(paying('2026-11-02'))).toEqual([4, 3, 4]);
  expect(await usage(signInOf('nobody@x.example', 'portal'))).toEqual([
    3,
    UNSENT_LINK.readUnits,
    UNSENT_LINK.writeUnits,
  ]);
});
