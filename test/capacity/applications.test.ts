import { beforeAll, expect, test } from '@jest/globals';
import type { Advocate } from '../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { addressHash } from '../../functions/kernel/address.ts';
import type { EmailCause } from '../../functions/people/rules/email-cause.ts';
import { listApplications } from '../../functions/people/table/applications/decide.ts';
import { sendApplication } from '../../functions/people/table/applications/send.ts';
import { createMember } from '../../functions/people/table/members.ts';
import { APPLICATION, APPROVAL, CONFIRMATION, SENT_CONFIRMATION, UNSENT_CONFIRMATION } from '../bench/costs.ts';
import { LIMITED_APPLICATION } from '../bench/flood.ts';
import { anApplication, applicationOf, NOOR, takeApplications } from '../support/applications.ts';
import { type ApiRequest, sendToHandlers } from '../support/drivers.ts';
import { metered } from '../support/meter.ts';
import { mailboxOf, messageOf } from '../support/people.ts';
import { anAdvocate, aProgram, aToken, newId } from '../support/program.ts';
import { expectUsage, type Step } from '../support/usage.ts';
import { useCountingTable } from '../support/use-table.ts';

const table = useCountingTable();
const [APPLYING, CONFIRMING, DECIDING] = Array.from({ length: 3 }, () => sendToHandlers(table));
let program: Program;
let jane: Advocate;
let token: string;
beforeAll(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
  token = await aToken(table, program);
  await createMember(table, program.id, { email: 'sam@acme.example', name: 'Sam', scopes: ['admin', 'advocates'] });
});

const applying = (email: string | null): ApiRequest => {
  return { operation: 'sendApplication', body: { pk: program.publicKey, email } };
};

test('an application costs the same for every address, also again and over the limit', async () => {
  await takeApplications(table, program);
  const { readUnits, writeUnits } = APPLICATION;
  await expectUsage(table, APPLYING, [
    ['with a cold function', applying('cold@x.example'), 204, 3, readUnits + 1, writeUnits],
    ['the form', { operation: 'getApplicationForm', pk: program.publicKey }, 200, 1, 1, 0],
    ...[jane.email, 'nobody@x.example'].flatMap((email): Step[] => [
      [`of ${email}`, applying(email), 204, 2, readUnits, writeUnits],
      [`another of ${email}`, applying(email), 204, 2, readUnits, writeUnits + 1],
      [`a third one of ${email}`, applying(email), 204, 2, readUnits, writeUnits + 1],
      [
        `of ${email}, over the limit`,
        applying(email),
        204,
        2,
        LIMITED_APPLICATION.readUnits,
        LIMITED_APPLICATION.writeUnits,
      ],
    ]),
  ]);
});

test('a confirmation takes four reads and a transaction, and an automatic approval four more requests', async () => {
  const confirming = async (email: string, operation: 'confirmApplication' | 'lookUpApplication') => {
    await sendApplication(table, program.id, { ...NOOR, email });
    return { operation, body: { code: await applicationOf(table, program, email) } };
  };
  await takeApplications(table, program);
  const ann = await confirming('ann@x.example', 'confirmApplication');
  await expectUsage(table, CONFIRMING, [
    ['a look at an application', await confirming('ben@x.example', 'lookUpApplication'), 200, 3, 5, 0],
    ['a confirmation', ann, 200, 5, CONFIRMATION.readUnits, CONFIRMATION.writeUnits],
    ['a repeated one', ann, 200, 3, 5, 0],
  ]);
  await takeApplications(table, program, 'automatic');
  const automatic = await confirming('cleo@x.example', 'confirmApplication');
  await expectUsage(table, CONFIRMING, [
    ['a confirmation with approval', automatic, 200, 9, 12, 23],
    ['a repeated one', automatic, 200, 3, 5, 0],
  ]);
});

test('an application is decided with few requests, and a page of 50 is read with two', async () => {
  await takeApplications(table, program);
  const pending = async () => (await anApplication(table, program, { email: `${newId()}@x.example` })).id;
  const deciding = async (operation: 'approveApplication' | 'rejectApplication', body: object): Promise<ApiRequest> => {
    return { operation, token, application: await pending(), body };
  };
  const cold = await deciding('approveApplication', { uid: newId() });
  const approval = await deciding('approveApplication', { uid: newId() });
  await expectUsage(table, DECIDING, [
    ['an approval, with a cold function', cold, 201, 4, APPROVAL.readUnits, APPROVAL.writeUnits],
    ['an approval with a uid', approval, 201, 3, 5, 13],
    ['a repeated one', approval, 200, 2, 2, 0],
    ['a rejection', await deciding('rejectApplication', {}), 200, 2, 1, 6],
    ['a rejection without memory', await deciding('rejectApplication', { may_apply_again: true }), 200, 2, 1, 6],
    ['an invitation', { operation: 'inviteAdvocate', token, slug: jane.slug, body: {} }, 204, 2, 1, 2],
  ]);
  for (let count = 0; count < 55; count += 1) await pending();
  const list: ApiRequest = { operation: 'listApplications', token, query: 'per_page=50' };
  await expectUsage(table, DECIDING, [['a page of 50', list, 200, 2, 52, 0]]);
});

test('an email about an application takes at most seven reads and one transaction', async () => {
  await takeApplications(table, program);
  const usage = async (cause: EmailCause) => {
    const { requests, readUnits, writeUnits } = await metered(table, () =>
      mailboxOf(table).deliver(messageOf(table, program.id, cause)),
    );
    return [requests, readUnits, writeUnits];
  };
  const confirming = async (email: string): Promise<EmailCause> => {
    await sendApplication(table, program.id, { ...NOOR, email });
    const { applications } = await listApplications(table, program.id, 'unconfirmed', {
      start: { skip: 0 },
      size: 50,
    });
    const application = applications.find((each) => each.email === email)?.id ?? '';
    return { kind: 'confirm', address: addressHash(email), application };
  };
  const lena = await anAdvocate(table, program);
  const { id } = await anApplication(table, program, { email: 'eli@x.example' });
  expect([
    await usage(await confirming('fay@x.example')),
    await usage(await confirming('eli@x.example')),
    await usage(await confirming(lena.email ?? '')),
    await usage({ kind: 'waiting', application: id, day: '2026-11-28' }),
    await usage({ kind: 'approved', slug: lena.slug, request: id }),
  ]).toEqual([
    [5, SENT_CONFIRMATION.readUnits, SENT_CONFIRMATION.writeUnits],
    [4, UNSENT_CONFIRMATION.readUnits, UNSENT_CONFIRMATION.writeUnits],
    [8, 7, 6],
    [5, 4, 4],
    [4, 3, 4],
  ]);
});
