import { changeOwn } from '../../functions/advocates/rules/advocate-changes.ts';
import { replaceAdvocate } from '../../functions/advocates/table/advocates.ts';
import { addressHash } from '../../functions/kernel/address.ts';
import { secondOf } from '../../functions/kernel/time.ts';
import { ADVOCATE, NEWEST_ADVOCATE } from '../../functions/openapi/records.ts';
import type { EmailCause } from '../../functions/people/rules/email-cause.ts';
import { type LinkCode, parseLinkCode } from '../../functions/people/rules/link-code.ts';
import { mailHandler } from '../../functions/people/stream/mail.ts';
import type { EmailMessage } from '../../functions/people/stream/messages.ts';
import type { OutgoingEmail, SendEmail } from '../../functions/people/stream/outgoing.ts';
import { signIn } from '../../functions/people/table/sessions.ts';
import type { OperationId } from '../../functions/routes.ts';
import { newId } from './program.ts';
import type { TestTable } from './table.ts';

export const BASE_URL = 'https://api.shop.example';

/** A mailbox of everybody, and the queue in front of it. */
export interface Mailbox {
  readonly emails: OutgoingEmail[];
  /** How long each message that is tried again is hidden, in seconds. */
  readonly pauses: number[];
  readonly deadLetters: string[];
  /** Handles a message. True if it is tried again. */
  readonly deliver: (message: EmailMessage, receives?: number) => Promise<boolean>;
}

/** Opens a mailbox. `answer` decides what SES does with an email. */
export function mailboxOf(
  table: TestTable,
  answer: (email: OutgoingEmail) => ReturnType<SendEmail> = async () => 'sent',
  { leavesMachine = true } = {},
): Mailbox {
  const [emails, pauses, deadLetters]: [OutgoingEmail[], number[], string[]] = [[], [], []];
  const mail = mailHandler({
    ...{ table, baseUrl: BASE_URL, leavesMachine },
    send: async (email) => {
      const outcome = await answer(email);
      if (outcome === 'sent') emails.push(email);
      return outcome;
    },
    hide: async (_queue, _handle, seconds) => void pauses.push(seconds),
    addDeadLetters: async (bodies) => void deadLetters.push(...bodies),
  });
  const deliver = async (message: EmailMessage, receives = 1) => {
    const attributes = { ApproximateReceiveCount: String(receives) };
    const record = { messageId: 'm', receiptHandle: 'r', body: JSON.stringify(message), attributes };
    return (await mail({ Records: [record] })).batchItemFailures.length > 0;
  };
  return { emails, pauses, deadLetters, deliver };
}

/** The message of a cause that was queued now. */
export const messageOf = (table: TestTable, program: string, cause: EmailCause): EmailMessage => {
  return { program, cause, causedAt: table.clock() };
};

/** The code in the link of an email. */
export function codeIn({ text }: Pick<OutgoingEmail, 'text'>, name = 'code'): string {
  const [, code = ''] = new RegExp(`#${name}=([\\w-]{86})`).exec(text) ?? [];
  if (!parseLinkCode(code)) throw new Error('The email has no link with a code.');
  return code;
}

/** What only the emails of the demo contain: codes for the bodies of operations, and tokens from a sign-in. */
export async function fromEmails(table: TestTable, program: string) {
  const mailbox = mailboxOf(table, undefined, { leavesMachine: false });
  const codeOf = async (cause: EmailCause, name?: string) => {
    await mailbox.deliver(messageOf(table, program, cause));
    return codeIn(mailbox.emails.pop() ?? { text: '' }, name);
  };
  const signInCode = () =>
    codeOf({ kind: 'sign_in', page: 'portal', address: addressHash(ADVOCATE.email ?? ''), request: newId() });
  const session = async () => (await signIn(table, parseLinkCode(await signInCode()) as LinkCode, false)).token;
  // The undo ends all tokens of its advocate.
  const { slug, version } = await replaceAdvocate(table, program, NEWEST_ADVOCATE.slug, {
    change: (before) =>
      changeOwn(before, { payoutMethod: 'paypal', payoutAccount: 'lena@pay.example' }, secondOf(table.clock())),
  });
  const undo = { kind: 'account_changed', slug, version, changes: ['payout_account'], to: 'now' } as const;
  const codes: Partial<Record<OperationId, string>> = {
    createSession: await signInCode(),
    undoPayoutAccount: await codeOf(undo, 'undo'),
  };
  const tokens: Partial<Record<OperationId, string>> = {
    updateAffiliate: await session(),
    deleteSession: await session(),
  };
  return { codes, tokens };
}
