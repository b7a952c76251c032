import type { EmailCause } from '../../functions/people/rules/email-cause.ts';
import { parseLinkCode } from '../../functions/people/rules/link-code.ts';
import { mailHandler } from '../../functions/people/stream/mail.ts';
import type { EmailMessage } from '../../functions/people/stream/messages.ts';
import type { OutgoingEmail, SendEmail } from '../../functions/people/stream/outgoing.ts';
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
