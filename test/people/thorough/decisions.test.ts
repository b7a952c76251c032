import { beforeEach, describe, expect, test } from '@jest/globals';
import { eraseAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { automaticApprovalsKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { listAdvocates } from '../../../functions/kernel/operator/lists.ts';
import type { ApplicationDraft } from '../../../functions/people/rules/applications/application.ts';
import { ApplicationDecided } from '../../../functions/people/rules/errors.ts';
import { confirmApplication } from '../../../functions/people/table/applications/confirm.ts';
import {
  approveApplication,
  approveAutomatically,
  rejectApplication,
} from '../../../functions/people/table/applications/decide.ts';
import { sendApplication } from '../../../functions/people/table/applications/send.ts';
import { createMember } from '../../../functions/people/table/members.ts';
import { changePeopleSettings } from '../../../functions/people/table/people-settings.ts';
import {
  anApplication,
  countsOf,
  inSeconds,
  LOST,
  linkOf,
  NOOR,
  REJECTION,
  spend,
  takeApplications,
} from '../../support/applications.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { mailboxOf, messageOf } from '../../support/people.ts';
import { anAdvocate, aProgram, newId } from '../../support/program.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
let program: Program;
/** An address that no other test has used: its budget is one of the whole deployment. */
let email: string;
let noor: ApplicationDraft;
beforeEach(async () => {
  email = `noor-${newId()}@x.example`;
  noor = { ...NOOR, email };
  program = await aProgram(table);
  await takeApplications(table, program);
});

const at = (seconds: number) => inSeconds(table, seconds);
const apply = (to = at(0), of = program, by = email) => sendApplication(to, of.id, { ...noor, email: by });

describe('decisions', () => {
  test('two approvals at the same time create one advocate', async () => {
    const { id } = await anApplication(table, program, noor);
    const both = await Promise.all([1, 2].map(() => approveApplication(table, program, id, {})));
    expect(both.map(({ isNew }) => isNew).toSorted()).toEqual([false, true]);
    expect(new Set(both.map(({ advocate }) => advocate.slug)).size).toBe(1);
    expect(await listAdvocates(table, program.id)).toHaveLength(1);
  });

  test.each(LOST)('a decision whose response %s is made once', async (_, faults) => {
    const [one, other] = [
      await anApplication(table, program, noor),
      await anApplication(table, program, { ...noor, email: `eve-${email}` }),
    ];
    proxied.proxy.next('TransactWriteItems', ...faults);
    expect((await approveApplication(proxied.faulty, program, one.id, {})).advocate.application).toBe(one.id);
    proxied.proxy.next('TransactWriteItems', ...faults);
    expect((await rejectApplication(proxied.faulty, program.id, other.id, REJECTION)).state).toBe('rejected');
    expect(await countsOf(table, program, 'pending', 'approved', 'rejected')).toEqual([0, 1, 1]);
    expect(await listAdvocates(table, program.id)).toHaveLength(1);
  });

  test('of an approval and a rejection at the same time, one wins', async () => {
    for (const by of ['a', 'b', 'c']) {
      const { id } = await anApplication(table, program, { ...noor, email: `${by}-${email}` });
      const both = await Promise.allSettled([
        approveApplication(table, program, id, {}),
        rejectApplication(table, program.id, id, REJECTION),
      ]);
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: expect.any(ApplicationDecided),
      });
    }
    const [approved] = await countsOf(table, program, 'approved');
    expect(await listAdvocates(table, program.id)).toHaveLength(approved ?? 0);
  });

  test('an approval takes the next slug if another advocate has the first one', async () => {
    await anAdvocate(table, program, { slug: 'noor' });
    const { id } = await anApplication(table, program, noor);
    expect((await approveApplication(table, program, id, {})).advocate.slug).toBe('noor-2');
  });

  test('50 applications a day are approved automatically, the others wait, also in a race', async () => {
    const noon = at(0);
    await takeApplications(table, program, 'automatic');
    const sent = [];
    for (const by of [email, `eve-${email}`, `kim-${email}`])
      sent.push(await anApplication(noon, program, { ...noor, email: by }));
    expect((await approveAutomatically(noon, program, sent[0]?.id ?? '')).state).toBe('approved');
    await spend(table, automaticApprovalsKey(program.id), 49);
    const others = sent.slice(1);
    const decided = await Promise.all(others.map(({ id }) => approveAutomatically(noon, program, id)));
    expect(decided.map(({ state }) => state).toSorted()).toEqual(['approved', 'pending']);
    expect(await listAdvocates(table, program.id)).toHaveLength(2);
  });

  test('the merchant who decides during an automatic approval wins, and nobody is approved days later', async () => {
    await takeApplications(table, program, 'automatic');
    const { id } = await anApplication(table, program, noor);
    beforeNext(table, 'TransactWriteItemsCommand', () => rejectApplication(table, program.id, id, REJECTION));
    expect((await approveAutomatically(table, program, id)).state).toBe('rejected');
    const other = await anApplication(at(0), program, { ...noor, email: `eve-${email}` });
    expect((await approveAutomatically(at(600), program, other.id)).state).toBe('pending');
    expect(await listAdvocates(table, program.id)).toEqual([]);
  });

  test.each([
    ['mailinator.com', 'disposable_email'],
    ['a.b.mailinator.com', 'disposable_email'],
    ['x.example', 'answer_missing'],
    ['y.example', 'advocate_exists'],
  ])('an application from %s is held with the flag %s', async (domain, flag) => {
    await takeApplications(table, program, 'automatic');
    const own = email.replace('x.example', domain);
    await apply(table, program, own);
    const website = { key: 'website', label: 'Website', kind: 'url', required: true, options: [] } as const;
    if (flag === 'answer_missing') await changePeopleSettings(table, program.id, { applicationFields: [website] });
    const code = await linkOf(table, program, own);
    if (flag === 'advocate_exists') await anAdvocate(table, program, { email: own });
    const confirmed = await confirmApplication(table, code);
    expect(confirmed).toMatchObject({ automaticUntil: null, state: 'pending', flags: [flag] });
  });
});

describe('emails', () => {
  test('a member whom SES refuses stops no email to the others', async () => {
    for (const email of ['sam@x.example', 'kim@x.example']) {
      await createMember(table, program.id, { email, name: null, scopes: ['admin', 'advocates'] });
    }
    const mailbox = mailboxOf(table, async ({ to }) => (to === 'sam@x.example' ? 'refused' : 'sent'));
    const { id: application } = await anApplication(table, program, noor);
    const cause = { kind: 'waiting', application, day: '2026-11-28' } as const;
    expect(await mailbox.deliver(messageOf(table, program.id, cause))).toBe(true);
    expect(mailbox.emails.map(({ to }) => to)).toEqual(['kim@x.example']);
  });

  test('who may approve hears about the first application of a day, unless it was decided', async () => {
    const members = [
      ['boss@x.example', 'admin'],
      ['sam@x.example', 'advocates'],
      ['kim@x.example', 'advocates'],
    ] as const;
    for (const [email, scope] of members) await createMember(table, program.id, { email, name: null, scopes: [scope] });
    const mailbox = mailboxOf(table);
    const [one, other, next] = [
      await anApplication(table, program, noor),
      await anApplication(table, program, { ...noor, email: `eve-${email}` }),
      await anApplication(table, program, { ...noor, email: `ola-${email}` }),
    ];
    const tell = (application: string, day: string) =>
      mailbox.deliver(messageOf(table, program.id, { kind: 'waiting', application, day }));
    await rejectApplication(table, program.id, other.id, REJECTION);
    await tell(other.id, '2026-11-28');
    expect(mailbox.emails).toEqual([]);
    await tell(one.id, '2026-11-28');
    await tell(next.id, '2026-11-28');
    await tell(one.id, '2026-11-29');
    const recipients = ['sam@x.example', 'kim@x.example'];
    expect(mailbox.emails.map(({ to }) => to)).toEqual([...recipients, ...recipients]);
    await changePeopleSettings(table, program.id, { emailsOff: ['waiting'] });
    await tell(one.id, '2026-11-30');
    expect(mailbox.emails).toHaveLength(4);
  });

  test('an applicant hears about a decision once, and about a rejection only with a reason to', async () => {
    const mailbox = mailboxOf(table);
    const { id } = await anApplication(table, program, noor);
    const tell = () => mailbox.deliver(messageOf(table, program.id, { kind: 'rejected', application: id }));
    await tell();
    expect(mailbox.emails).toEqual([]);
    await rejectApplication(table, program.id, id, REJECTION);
    for (let times = 0; times < 2; times += 1) await tell();
    expect(mailbox.emails.map(({ to, text }) => [to, text.includes('No.')])).toEqual([[email, true]]);
    const { slug } = await anAdvocate(table, program);
    const welcome = { kind: 'approved', slug, request: '1' } as const;
    for (let times = 0; times < 2; times += 1) await mailbox.deliver(messageOf(table, program.id, welcome));
    expect(mailbox.emails.slice(1).map(({ text }) => text.includes(`via=${slug}`))).toEqual([true]);
    await eraseAdvocate(table, program.id, slug);
    await mailbox.deliver(messageOf(table, program.id, { ...welcome, request: '2' }));
    expect(mailbox.emails).toHaveLength(2);
  });
});
