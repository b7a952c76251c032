import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { findProgram } from '../../kernel/accounts/table/programs.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { RequestRefused, Unavailable } from '../../kernel/errors.ts';
import { logFailure } from '../../kernel/log/failure.ts';
import type { EmailCause, EmailQueueName } from '../rules/email-cause.ts';
import { queueOf } from '../rules/email-cause.ts';
import { writeEmail } from '../rules/emails/email.ts';
import { headerText } from '../rules/emails/names.ts';
import type { About, EmailData } from '../table/emails/data.ts';
import { readEmails } from '../table/emails/read.ts';
import { readPeopleSettings } from '../table/people-settings.ts';
import { markAsSent, takeBack } from '../table/sent-emails.ts';
import { type EmailMessage, parseEmailMessage } from './messages.ts';
import type { OutgoingEmail, SendEmail } from './outgoing.ts';

/** How long an email is tried, in milliseconds: a link to sign in is useless later. */
const limitOf = ({ kind }: EmailCause): number => (kind === 'sign_in' ? 15 * 60_000 : 24 * 3_600_000);
/** The pauses between tries grow from the first one to the longest one, in seconds. */
const FIRST_PAUSE = 10;
const longestPauseOf = ({ kind }: EmailCause): number => (kind === 'sign_in' ? 120 : 3600);

/** Everything that `mail` uses: `functions/lambdas` builds it on AWS, `bin/local/events` in the local service. */
export interface MailDependencies {
  /** The table, with a limit for each request. Its clock is also used. */
  readonly table: Table;
  /** The address of the service, without a slash at the end. */
  readonly baseUrl: string;
  /** True if emails leave the machine. */
  readonly leavesMachine: boolean;
  readonly send: SendEmail;
  /** Hides a message that is tried again for some seconds. The message must be reported as failed. */
  readonly hide: (queue: EmailQueueName, receiptHandle: string, seconds: number) => Promise<void>;
  readonly addDeadLetters: (bodies: readonly string[]) => Promise<unknown>;
}

/** A batch of messages, as Lambda receives it from SQS. */
export interface EmailBatch {
  readonly Records: readonly (Pick<SQSRecord, 'messageId' | 'receiptHandle' | 'body'> & {
    readonly attributes: Pick<SQSRecord['attributes'], 'ApproximateReceiveCount'>;
  })[];
}

/**
 * Returns the function that sends emails. The response contains the messages that the queue must keep, because their emails
 * were certainly not sent. Each email is sent at most once: an email that may have been sent is not sent again.
 */
export function mailHandler(dependencies: MailDependencies): (batch: EmailBatch) => Promise<SQSBatchResponse> {
  const { table, hide, addDeadLetters } = dependencies;

  async function isKept({ messageId, receiptHandle, body, attributes }: EmailBatch['Records'][number]) {
    let message: EmailMessage;
    try {
      message = parseEmailMessage(body);
    } catch (error) {
      logFailure('email_unreadable', { messageId }, error);
      await addDeadLetters([body]);
      return false;
    }
    const queue = queueOf(message.cause);
    const age = table.clock() - message.causedAt;
    const limit = limitOf(message.cause);
    if (age <= limit && (await isDone(dependencies, message))) return false;
    const pause = pauseAfter(message.cause, Number(attributes.ApproximateReceiveCount));
    if (age + pause * 1000 > limit) {
      await addDeadLetters([body]);
      return false;
    }
    await hide(queue, receiptHandle, pause);
    return true;
  }

  return async ({ Records }) => {
    const kept = await Promise.all(
      Records.map(async (record) => {
        const itemIdentifier = record.messageId;
        try {
          return (await isKept(record)) ? [{ itemIdentifier }] : [];
        } catch (error) {
          logFailure('email_not_handled', { messageId: itemIdentifier }, error);
          return [{ itemIdentifier }];
        }
      }),
    );
    return { batchItemFailures: kept.flat() };
  };
}

/** Sends the emails of a message, or finds that nobody gets one. Returns false if they must be tried again. */
async function isDone(dependencies: MailDependencies, message: EmailMessage): Promise<boolean> {
  const { table, baseUrl, leavesMachine } = dependencies;
  const { program: id, cause } = message;
  const ids = { program: id, kind: cause.kind };
  try {
    const program = await findProgram(table, id);
    if (!program) return true;
    const settings = await readPeopleSettings(table, id);
    const about = { program, settings, baseUrl, leavesMachine };
    let isDone = true;
    for (const data of await readEmails(table, about, cause)) {
      // A refused email must not stop the others.
      if (!(await isSent(dependencies, about, data))) isDone = false;
    }
    return isDone;
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof RequestRefused)) throw error;
    logFailure('email_postponed', ids, error);
    return false;
  }
}

/** Sends an email once. Returns false if it must be tried again. */
async function isSent(
  { table, send }: MailDependencies,
  { program, settings }: About,
  { to, content, unsubscribeUrl, mark }: EmailData,
): Promise<boolean> {
  const marked = await markAsSent(table, mark);
  if (marked !== 'marked') return marked === 'repeated';
  const email: OutgoingEmail = {
    ...writeEmail(content, { program, settings, unsubscribeUrl }),
    to,
    fromName: headerText(program.name),
    replyTo: settings.replyTo,
    headers: headersOf(unsubscribeUrl),
  };
  const ids = { program: program.id, kind: content.kind };
  const outcome = await send(email);
  if (outcome === 'unknown') logFailure('email_may_be_lost', ids);
  if (outcome !== 'refused') return true;
  await takeBack(table, mark).catch((error: unknown) => logFailure('email_may_be_lost', ids, error));
  return false;
}

/** Emails that can be switched off have the headers of RFC 8058. */
function headersOf(unsubscribeUrl: string | null): Readonly<Record<string, string>> {
  return {
    // RFC 3834 section 5: no robot should answer.
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribeUrl !== null && {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  };
}

const pauseAfter = (cause: EmailCause, receives: number): number =>
  Math.min(FIRST_PAUSE * 2 ** Math.max(0, receives - 1), longestPauseOf(cause));
