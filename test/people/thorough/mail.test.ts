import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { changeOwn } from '../../../functions/advocates/rules/advocate-changes.ts';
import { eraseAdvocate, replaceAdvocate, updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { addressHash } from '../../../functions/kernel/address.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { recordSettlement } from '../../../functions/ledger/table/settlements.ts';
import type { EmailCause } from '../../../functions/people/rules/email-cause.ts';
import { parseLinkCode } from '../../../functions/people/rules/link-code.ts';
import { parseUnsubscription } from '../../../functions/people/rules/unsubscribe.ts';
import { createMember, removeMember } from '../../../functions/people/table/members.ts';
import { changePeopleSettings } from '../../../functions/people/table/people-settings.ts';
import { keepPreviousEmail } from '../../../functions/people/table/previous-emails.ts';
import { undoAccountChange } from '../../../functions/people/table/undo.ts';
import { unsubscribe } from '../../../functions/people/table/unsubscribe.ts';
import { refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { ledgerOf } from '../../support/ledger/ledger.ts';
import { BASE_URL, codeIn, type Mailbox, mailboxOf, messageOf } from '../../support/people.ts';
import { anAdvocate, aProgram, newId, now } from '../../support/program.ts';
import { allItems, atTime } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const SAM = { email: 'sam@acme.example', name: 'Sam', scopes: ['admin'] as const };
let program: Program;
let jane: Advocate;
let mailbox: Mailbox;
beforeEach(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
  mailbox = mailboxOf(table);
});

const deliver = (cause: EmailCause, at = mailbox) => at.deliver(messageOf(table, program.id, cause));
const paying = (day = '2026-11-28'): EmailCause => ({ kind: 'paying', slug: jane.slug, day });
const signIn = (): EmailCause => {
  return { kind: 'sign_in', page: 'portal', address: addressHash(jane.email ?? ''), request: newId() };
};
const changed = (version: number, to: 'now' | 'before' = 'now'): EmailCause => {
  return { kind: 'account_changed', slug: jane.slug, version, changes: ['payout_account'], to };
};
const changeAccount = (payoutAccount: string) =>
  replaceAdvocate(table, program.id, jane.slug, {
    change: (before) => changeOwn(before, { payoutMethod: 'paypal', payoutAccount }, now()),
  });
async function settle(): Promise<EmailCause> {
  const settlement = {
    slug: jane.slug,
    settlementId: newId(),
    amount: 1250,
    currency: 'eur',
    reference: 'Oct',
    settledAt: null,
  };
  const { entry } = await recordSettlement(table, ledgerOf(program), settlement);
  return { kind: 'settled', slug: jane.slug, createdAt: entry.createdAt, entry: entry.id };
}

describe('sending', () => {
  test('an email is sent once, however often its message arrives, also at the same time', async () => {
    for (const cause of [paying(), await settle(), signIn()]) {
      mailbox.emails.length = 0;
      await Promise.all([deliver(cause), deliver(cause)]);
      expect([await deliver(cause), mailbox.emails.length]).toEqual([false, 1]);
    }
    expect(await deliver(paying('2026-11-29'))).toBe(false);
    expect(mailbox.emails).toHaveLength(2);
  });

  test('a settlement says what was paid, where replies go, and how to unsubscribe', async () => {
    await changePeopleSettings(table, program.id, { replyTo: 'partners@acme.example' });
    await deliver(await settle());
    const [{ text, headers, ...email } = { text: '', headers: {} as Record<string, string> }] = mailbox.emails;
    expect(email).toMatchObject({ to: jane.email, fromName: 'Acme', replyTo: 'partners@acme.example' });
    expect(text).toContain('12.50 EUR');
    const [, value = ''] =
      new RegExp(`^<${BASE_URL}/v2/unsubscribe/(.*)>$`).exec(headers['List-Unsubscribe'] ?? '') ?? [];
    const link = parseUnsubscription(value);
    expect(link).toMatchObject({ program: program.id, slug: jane.slug });
    expect(headers).toMatchObject({
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    await unsubscribe(table, { program: program.id, slug: jane.slug, secret: 'A'.repeat(22) });
    await deliver(paying('2026-01-01'));
    expect(mailbox.emails).toHaveLength(2);
    if (link) await unsubscribe(table, link);
    if (link) await unsubscribe(table, link);
    expect([await deliver(paying('2026-01-02')), await deliver(await settle()), mailbox.emails.length]).toEqual([
      false,
      false,
      2,
    ]);
  });

  test('a refused email leaves nothing behind, and is tried again with growing pauses, then buried', async () => {
    const silent = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const refusing = mailboxOf(table, async () => 'refused');
    const before = await allItems(table);
    const message = messageOf(table, program.id, signIn());
    for (const receives of [1, 2, 3, 9]) expect(await refusing.deliver(message, receives)).toBe(true);
    expect(refusing.pauses).toEqual([10, 20, 40, 120]);
    expect(await allItems(table)).toEqual(before);
    const old = { ...message, causedAt: milliseconds(message.causedAt - 14 * 60_000) };
    expect(await refusing.deliver(old, 9)).toBe(false);
    expect(refusing.deadLetters).toEqual([JSON.stringify(old)]);
    // Other emails wait longer.
    const other = {
      ...messageOf(table, program.id, await settle()),
      causedAt: milliseconds(table.clock() - 20 * 3_600_000),
    };
    expect([await refusing.deliver(other, 20), refusing.pauses.at(-1)]).toEqual([true, 3600]);
    expect([await mailbox.deliver(other), mailbox.emails.length]).toEqual([false, 1]);
    silent.mockRestore();
  });

  test('an email whose time is over is buried without a mark, before SES is asked', async () => {
    const before = await allItems(table);
    for (const [cause, minutes] of [[signIn(), 15] as const, [paying(), 24 * 60] as const]) {
      const causedAt = milliseconds(table.clock() - minutes * 60_000 - 1);
      expect(await mailbox.deliver({ ...messageOf(table, program.id, cause), causedAt })).toBe(false);
    }
    expect([mailbox.emails, mailbox.deadLetters.length]).toEqual([[], 2]);
    expect(await allItems(table)).toEqual(before);
  });

  test('an email whose mark cannot be taken back is logged', async () => {
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const refuse = async () => {
      proxied.proxy.next('TransactWriteItems', refusal('ValidationException'));
      return 'refused' as const;
    };
    expect(await deliver(paying(), mailboxOf(proxied.faulty, refuse))).toBe(true);
    expect(log.mock.calls).toEqual([[expect.objectContaining({ error: 'email_may_be_lost', kind: 'paying' })]]);
    log.mockRestore();
  });

  test('an email that may have been sent is not sent again', async () => {
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const cause = paying();
    expect(
      await deliver(
        cause,
        mailboxOf(table, async () => 'unknown'),
      ),
    ).toBe(false);
    expect([await deliver(cause), mailbox.emails]).toEqual([false, []]);
    expect(log.mock.calls).toEqual([[{ error: 'email_may_be_lost', program: program.id, kind: 'paying' }]]);
    log.mockRestore();
  });

  test('a message that cannot be read is buried', async () => {
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    expect(await deliver({ kind: 'other' } as unknown as EmailCause)).toBe(false);
    expect([mailbox.deadLetters.length, log.mock.calls.length]).toEqual([1, 1]);
    log.mockRestore();
  });
});

describe('who gets emails', () => {
  test('the erased, the unknown, and whom the merchant leaves out get none', async () => {
    const causes = [paying(), await settle(), signIn(), changed(1)];
    await changePeopleSettings(table, program.id, { emailsOff: ['paying', 'settled'] });
    for (const cause of causes.slice(0, 2)) await deliver(cause);
    await changePeopleSettings(table, program.id, { emailsOff: [] });
    await eraseAdvocate(table, program.id, jane.slug);
    const unknown: EmailCause = {
      kind: 'sign_in',
      page: 'dashboard',
      address: addressHash('x@y.example'),
      request: newId(),
    };
    const before = await allItems(table);
    for (const cause of [...causes, unknown, { kind: 'invited', member: newId() } as const]) await deliver(cause);
    expect(mailbox.emails).toEqual([]);
    expect(await allItems(table)).toEqual(before);
  });

  test('a program in test mode sends to members only, except on this machine', async () => {
    program = await aProgram(table, { mode: 'test' });
    jane = await anAdvocate(table, program);
    const { member } = await createMember(table, program.id, SAM);
    for (const cause of [paying(), signIn(), { kind: 'invited', member: member.id } as const]) await deliver(cause);
    expect(mailbox.emails.map(({ to }) => to)).toEqual(['sam@acme.example']);
    const local = mailboxOf(table, undefined, { leavesMachine: false });
    await deliver(signIn(), local);
    expect(local.emails).toHaveLength(1);
  });

  test('several advocates with one address get one email with a link for each, the newest ten', async () => {
    const others = [];
    for (let count = 0; count < 11; count += 1)
      others.push(await anAdvocate(table, program, { email: jane.email ?? '' }));
    await deliver(signIn());
    const links = mailbox.emails[0]?.text.match(/#code=/g) ?? [];
    expect([mailbox.emails.length, links.length, others.length]).toEqual([1, 10, 11]);
  });
});

describe('a person who changes while an email is read', () => {
  const send = async (cause: EmailCause, change: () => Promise<unknown>) => {
    beforeNext(table, 'TransactWriteItemsCommand', change);
    expect([await deliver(cause), mailbox.emails, mailbox.pauses.length]).toEqual([true, [], 1]);
    await deliver(cause);
    return mailbox.emails.map(({ to }) => to);
  };

  test.each([
    ['a link', signIn],
    ['an email', paying],
    ['a change', () => changed(1)],
  ])('gets %s only at the new address, or none after an erasure', async (_, causeOf) => {
    await deliver(paying('2026-01-01'));
    mailbox.emails.length = 0;
    const move = () => updateAdvocate(table, program.id, jane.slug, { email: 'new@x.example' });
    const cause = causeOf();
    expect(await send(cause, move)).toEqual(cause.kind === 'sign_in' ? [] : ['new@x.example']);
    mailbox = mailboxOf(table);
    jane = await anAdvocate(table, program);
    await deliver(paying('2026-01-01'));
    mailbox.emails.length = 0;
    expect(await send(causeOf(), () => eraseAdvocate(table, program.id, jane.slug))).toEqual([]);
  });

  test('a member gets no link after its removal', async () => {
    await createMember(table, program.id, { ...SAM, email: 'ida@acme.example' });
    const { member } = await createMember(table, program.id, SAM);
    const link = { kind: 'sign_in', page: 'dashboard', address: addressHash(SAM.email), request: newId() } as const;
    expect(await send(link, () => removeMember(table, program.id, member.id))).toEqual([]);
  });
});

test('an address gets one invitation a day, although its member was removed in between', async () => {
  await createMember(table, program.id, { ...SAM, email: 'ida@acme.example' });
  const invite = async (days: number) => {
    const at = atTime(table, () => milliseconds(Date.now() + days * 86_400_000));
    const { member } = await createMember(at, program.id, SAM);
    const own = mailboxOf(at);
    for (let count = 0; count < 2; count += 1) {
      await own.deliver(messageOf(at, program.id, { kind: 'invited', member: member.id }));
    }
    await removeMember(at, program.id, member.id);
    return own.emails.length;
  };
  expect([await invite(0), await invite(0), await invite(1)]).toEqual([1, 0, 1]);
});

describe('changes of an account', () => {
  test('both addresses hear about it at most once an hour, and a link undoes it once', async () => {
    await updateAdvocate(table, program.id, jane.slug, { payoutMethod: 'paypal', payoutAccount: 'jane@pay.example' });
    await changeAccount('mallory@pay.example');
    const { version } = await changeAccount('mallory2@pay.example');
    await keepPreviousEmail(table, program.id, { slug: jane.slug, version, previous: 'before@x.example' });
    await deliver(changed(version));
    await deliver(changed(version, 'before'));
    await deliver(changed(version + 1));
    expect(mailbox.emails.map(({ to }) => to)).toEqual([jane.email, 'before@x.example']);
    const [now, before] = mailbox.emails;
    expect(before?.text).not.toContain('#undo=');
    const first = parseLinkCode(codeIn(now ?? { text: '' }, 'undo'));
    if (!first) throw new Error('The email has no link.');
    const both = await Promise.allSettled([undoAccountChange(table, first), undoAccountChange(table, first)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [undone] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(undone).toMatchObject({ payoutAccount: 'jane@pay.example', payoutPendingUntil: null, payoutBefore: null });
    expect(undone?.tokensRevokedAt).not.toBeNull();
    await expect(undoAccountChange(table, first)).rejects.toThrow('The link was used or has expired');
    // The undo and the next change are told immediately; the undo again and a second change are not.
    mailbox.emails.length = 0;
    for (const payoutAccount of ['', 'eve@pay.example', 'eve2@pay.example']) {
      const { version } =
        payoutAccount === '' ? { version: Number(undone?.version) } : await changeAccount(payoutAccount);
      for (const each of [version, version + 1]) await deliver(changed(each));
    }
    expect(mailbox.emails.map(({ text }) => text.includes('#undo='))).toEqual([false, true]);
    // An hour later, the next change is told; an older one is not.
    const hour = mailboxOf(atTime(table, () => milliseconds(Date.now() + 3_600_000)));
    await deliver(changed(version), hour);
    await deliver(changed(Number(undone?.version) + 2), hour);
    expect(hour.emails).toHaveLength(1);
  });

  test('a link to undo a change ends with the address that got it', async () => {
    await deliver(changed((await changeAccount('own@pay.example')).version));
    await updateAdvocate(table, program.id, jane.slug, { email: 'new@x.example' });
    const code = parseLinkCode(codeIn(mailbox.emails[0] ?? { text: '' }, 'undo'));
    if (!code) throw new Error('The email has no link.');
    await expectUnchanged(table, () => expect(undoAccountChange(table, code)).rejects.toThrow('The link was used'));
  });
});

afterEach(() => expect(mailbox.emails.map(({ text }) => text).join()).not.toMatch(/undefined|\[object/));
