import { type Call, callerOf, type JsonService, retrying, type ServiceOptions } from '../../kernel/aws/json-service.ts';
import { Unavailable } from '../../kernel/errors.ts';
import { valueAt } from '../../kernel/json.ts';
import type { EmailQueueName } from '../rules/email-cause.ts';
import type { MailDependencies } from './mail.ts';
import { type EmailQueue, MAX_MESSAGES } from './messages.ts';

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
const SQS: JsonService = { title: 'SQS', name: 'sqs', target: 'AmazonSQS', variable: 'SQS', version: '1.0' };

type Urls = Readonly<Record<EmailQueueName, string>>;

/** The queues of emails in SQS, for `publish`. */
export function sqsEmails(urls: Urls, options: ServiceOptions): EmailQueue {
  const call = retrying(callerOf(SQS, options));
  return {
    send: (name, messages) =>
      sendAll(
        call,
        urls[name],
        messages.map((message) => JSON.stringify(message)),
      ),
  };
}

/** What `mail` does with messages that it cannot send now, or never. */
export function sqsRetries(
  urls: Urls,
  deadLetterUrl: string,
  options: ServiceOptions,
): Pick<MailDependencies, 'hide' | 'addDeadLetters'> {
  const call = retrying(callerOf(SQS, options));
  return {
    hide: async (name, ReceiptHandle, VisibilityTimeout) => {
      await call('ChangeMessageVisibility', { QueueUrl: urls[name], ReceiptHandle, VisibilityTimeout });
    },
    addDeadLetters: (bodies) => sendAll(call, deadLetterUrl, bodies),
  };
}

/** Sends messages. Throws `Unavailable` if one is refused: it may be sent again. */
async function sendAll(call: Call, QueueUrl: string, bodies: readonly string[]): Promise<void> {
  for (let start = 0; start < bodies.length; start += MAX_MESSAGES) {
    const Entries = bodies
      .slice(start, start + MAX_MESSAGES)
      .map((MessageBody, index) => ({ Id: `${index}`, MessageBody }));
    const failed = valueAt(await call('SendMessageBatch', { QueueUrl, Entries }), 'Failed');
    if (Array.isArray(failed) && failed.length > 0) throw new Unavailable(undefined, 'MessageRefused');
  }
}
