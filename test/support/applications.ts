import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { addressHash } from '../../functions/kernel/address.ts';
import { optional, required } from '../../functions/kernel/dynamodb/item.ts';
import { draftKey, type Key } from '../../functions/kernel/dynamodb/keys.ts';
import { get } from '../../functions/kernel/dynamodb/table.ts';
import { record, text } from '../../functions/kernel/fields/parsers.ts';
import { milliseconds } from '../../functions/kernel/time.ts';
import type { ApplicationDraft } from '../../functions/people/rules/applications/application.ts';
import type { ApplicationState } from '../../functions/people/rules/applications/application-fields.ts';
import { type LinkCode, parseLinkCode } from '../../functions/people/rules/link-code.ts';
import { confirmApplication } from '../../functions/people/table/applications/confirm.ts';
import { listApplications } from '../../functions/people/table/applications/decide.ts';
import { sendApplication } from '../../functions/people/table/applications/send.ts';
import { changePeopleSettings } from '../../functions/people/table/people-settings.ts';
import { cancellation } from './faulty-proxy.ts';
import { codeIn, mailboxOf, messageOf } from './people.ts';
import { atTime, type TestTable } from './table.ts';

export const NOOR: ApplicationDraft = {
  ...{ email: 'noor@x.example', firstName: 'Noor', lastName: null, termsVersion: null },
  answers: {},
};

/** Lets people apply to a program. */
export const takeApplications = (table: TestTable, program: Program, applications: 'review' | 'automatic' = 'review') =>
  changePeopleSettings(table, program.id, { applications });

/** Delivers the emails about what an address sent last. */
export async function emailsOf(table: TestTable, program: Program, email: string) {
  // Also for a program in test mode.
  const mailbox = mailboxOf(table, undefined, { leavesMachine: false });
  const address = addressHash(email);
  const application = optional((await get(table, draftKey(program.id, address))) ?? {}, 'id', text) ?? '';
  await mailbox.deliver(messageOf(table, program.id, { kind: 'confirm', address, application }));
  return mailbox.emails;
}

/** Returns the code in the email that confirms what an address sent last. */
export async function applicationOf(table: TestTable, program: Program, email: string): Promise<string> {
  const [sent] = await emailsOf(table, program, email);
  return codeIn(sent ?? { text: '' }, 'confirm');
}

export async function linkOf(table: TestTable, program: Program, email: string): Promise<LinkCode> {
  const code = parseLinkCode(await applicationOf(table, program, email));
  if (!code) throw new Error('The email has no link.');
  return code;
}

/** Applies and confirms. Returns the application. */
export async function anApplication(table: TestTable, program: Program, draft: Partial<ApplicationDraft> = {}) {
  const sent = { ...NOOR, ...draft };
  await sendApplication(table, program.id, sent);
  return confirmApplication(table, await linkOf(table, program, sent.email));
}

export const DAY = 86_400;
export const REJECTION = { note: 'No.', notify: true, mayApplyAgain: false };

// Noon, so that no budget ends within a test.
export const NOON = Math.ceil(Date.now() / (DAY * 1000)) * DAY + DAY / 2;

/** A table at some seconds after a noon. */
export const inSeconds = (table: TestTable, seconds: number) =>
  atTime(table, () => milliseconds((NOON + seconds) * 1000));

/** Counts the applications of a program in some states. */
export const countsOf = (table: TestTable, program: Program, ...states: ApplicationState[]): Promise<number[]> =>
  Promise.all(
    states.map(async (state) => {
      const { applications } = await listApplications(table, program.id, state, { start: { skip: 0 }, size: 50 });
      return applications.length;
    }),
  );

/** Spends so much of a budget. */
export async function spend(table: TestTable, key: Key, count: number): Promise<void> {
  const item = required({ item: await get(table, key) }, 'item', record);
  await table.client.send(new PutCommand({ TableName: table.name, Item: { ...item, count } }));
}

/** Faults of a transaction, and what they are. */
export const LOST = [
  ['is lost', ['lose']],
  ['is lost before a conflict', ['lose', cancellation('TransactionConflict')]],
] as const;
