import { beforeEach, describe, expect, test } from '@jest/globals';
import { eraseAdvocate, updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { callersOf } from '../../../functions/kernel/accounts/table/callers.ts';
import { addressHash } from '../../../functions/kernel/address.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { InvalidLink } from '../../../functions/people/rules/errors.ts';
import type { SignInPage } from '../../../functions/people/rules/link-budget.ts';
import { type LinkCode, parseLinkCode } from '../../../functions/people/rules/link-code.ts';
import { createMember, removeMember, updateMember } from '../../../functions/people/table/members.ts';
import { signIn, signOut } from '../../../functions/people/table/sessions.ts';
import { requestLink } from '../../../functions/people/table/sign-in-links.ts';
import { cancellation, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { codeIn, mailboxOf, messageOf } from '../../support/people.ts';
import { anAdvocate, aProgram, newId, now } from '../../support/program.ts';
import { allItems, atTime, type TestTable } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const SAM = { email: 'sam@acme.example', name: 'Sam', scopes: ['read', 'admin'] as const };
let program: Program;
let jane: Advocate;
beforeEach(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
});

/** Sends a link, and returns its code. */
async function linkTo(email: string, page: SignInPage = 'portal'): Promise<LinkCode> {
  const mailbox = mailboxOf(table);
  const cause = { kind: 'sign_in', page, address: addressHash(email), request: newId() } as const;
  expect(await mailbox.deliver(messageOf(table, program.id, cause))).toBe(false);
  const [sent] = mailbox.emails;
  expect(sent?.to).toBe(email);
  const code = parseLinkCode(codeIn(sent ?? { text: '' }));
  if (!code) throw new Error('The link has no code.');
  return code;
}

const callerOf = (token: string, at: TestTable = table) => callersOf(at.clock).byToken(at, token);
const later = (seconds: number) => atTime(table, () => milliseconds(Date.now() + seconds * 1000));

describe('sessions', () => {
  test('an advocate signs in with a link, for 12 hours or for 30 days, and signs out', async () => {
    const { token, record } = await signIn(table, await linkTo(jane.email ?? ''), false);
    expect(record).toMatchObject({ kind: 'affiliate', isSession: true, expiresAt: record.createdAt + 12 * 3600 });
    const caller = await callerOf(token);
    expect(caller).toMatchObject({ kind: 'affiliate', advocate: { slug: jane.slug }, token: { isSession: true } });
    const kept = await signIn(table, await linkTo(jane.email ?? ''), true);
    expect(kept.record.expiresAt).toBe(kept.record.createdAt + 30 * 86_400);
    await signOut(table, caller?.tokenHash ?? '');
    expect([await callerOf(token), (await callerOf(kept.token))?.kind]).toEqual([undefined, 'affiliate']);
  });

  test('a member signs in with a link, for 12 hours or for 7 days, and has the scopes of now', async () => {
    const { member } = await createMember(table, program.id, SAM);
    const kept = await signIn(table, await linkTo(SAM.email, 'dashboard'), true);
    expect(kept.record.expiresAt).toBe(kept.record.createdAt + 7 * 86_400);
    expect(await callerOf(kept.token)).toMatchObject({
      kind: 'program',
      program: { id: program.id },
      member: { id: member.id },
      token: { scopes: SAM.scopes },
    });
    await updateMember(table, program.id, member.id, { changes: { name: 'Samuel' } });
    expect(await callerOf(kept.token)).toMatchObject({ member: { name: 'Samuel' } });
    await createMember(table, program.id, { ...SAM, email: 'ida@acme.example' });
    await updateMember(table, program.id, member.id, { changes: { scopes: ['read'] } });
    expect(await callerOf(kept.token)).toBeUndefined();
    const again = await signIn(table, await linkTo(SAM.email, 'dashboard'), false);
    expect(await callerOf(again.token)).toMatchObject({ token: { scopes: ['read'] } });
    await removeMember(table, program.id, member.id);
    expect(await callerOf(again.token)).toBeUndefined();
  });

  test('a code works once: two requests at the same time, and one later, get one token', async () => {
    for (const page of ['portal', 'dashboard'] as const) {
      if (page === 'dashboard') await createMember(table, program.id, SAM);
      const code = await linkTo(page === 'portal' ? (jane.email ?? '') : SAM.email, page);
      const both = await Promise.allSettled([signIn(table, code, false), signIn(table, code, false)]);
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      await expect(signIn(table, code, false)).rejects.toThrow(InvalidLink);
    }
  });

  test.each([
    ['whose response is lost', ['lose']],
    ['whose response is lost before a conflict', ['lose', cancellation('TransactionConflict')]],
  ] as const)('a sign-in %s succeeds once', async (_, faults) => {
    await createMember(table, program.id, SAM);
    for (const code of [await linkTo(jane.email ?? ''), await linkTo(SAM.email, 'dashboard')]) {
      proxied.proxy.next('TransactWriteItems', ...faults);
      const { token } = await signIn(proxied.faulty, code, false);
      expect(await callerOf(token)).toBeDefined();
    }
  });

  test.each<[string, () => Promise<unknown>]>([
    ['expired', async () => undefined],
    ['of an erased advocate', () => eraseAdvocate(table, program.id, jane.slug)],
    [
      'of an advocate with another address',
      () => updateAdvocate(table, program.id, jane.slug, { email: 'new@x.example' }),
    ],
  ])('a code %s creates nothing', async (why, prepare) => {
    const code = await linkTo(jane.email ?? '');
    await prepare();
    const before = await allItems(table);
    // An erasure deletes it, also if nobody could use it any more.
    const isLeft = before.some(({ pk, sk }) => String(pk).endsWith(code.address) && String(sk).startsWith('CODE#'));
    expect(isLeft).toBe(why !== 'of an erased advocate');
    await expect(signIn(why === 'expired' ? later(900) : table, code, false)).rejects.toThrow(InvalidLink);
    expect(await allItems(table)).toEqual(before);
  });

  test('another address of an advocate ends its sessions, and makes its payout account pending', async () => {
    await updateAdvocate(table, program.id, jane.slug, { payoutMethod: 'paypal', payoutAccount: 'jane@pay.example' });
    const { token } = await signIn(table, await linkTo(jane.email ?? ''), false);
    const after = await updateAdvocate(table, program.id, jane.slug, { email: 'new@x.example' });
    expect(await callerOf(token)).toBeUndefined();
    expect(after.payoutPendingUntil).toBeGreaterThan(Date.now() / 1000 + 3 * 86_400 - 60);
    // The merchant's own change is immediate; the same account is none.
    const pendingWith = async (payoutAccount: string) =>
      (await updateAdvocate(table, program.id, jane.slug, { payoutMethod: 'paypal', payoutAccount }))
        .payoutPendingUntil;
    expect(await pendingWith('jane@pay.example')).toBe(after.payoutPendingUntil);
    expect(await pendingWith('new@pay.example')).toBeNull();
  });
});

describe('links', () => {
  const request = (at: TestTable, page: SignInPage = 'portal') =>
    requestLink(at, program.id, { address: addressHash('jane@x.example'), page });

  test('an address gets three links, 60 seconds apart, then one each ten minutes', async () => {
    const start = now() * 1000;
    const answers = [];
    for (const second of [0, 59, 60, 119, 120, 180, 599, 600, 660, 1199, 1200])
      answers.push(await request(atTime(table, () => milliseconds(start + second * 1000))));
    expect(answers).toEqual([true, false, true, false, true, false, false, true, false, false, true]);
    expect(await request(table, 'dashboard')).toBe(true);
  });

  test('two requests at the same time are one link, and one whose response is lost is allowed once', async () => {
    expect((await Promise.all([request(table), request(table)])).sort()).toEqual([false, true]);
    proxied.proxy.next('PutItem', 'lose');
    expect([await request(proxied.faulty, 'dashboard'), await request(table, 'dashboard')]).toEqual([true, false]);
  });
});
