import { openConnection } from '../kernel/dynamodb/connection.ts';
import { readMailEnvironment, readServiceEnvironment, readTableEnvironment } from '../kernel/environment.ts';
import { mailHandler } from '../people/stream/mail.ts';
import { sesSender } from '../people/stream/ses.ts';
import { sqsRetries } from '../people/stream/sqs.ts';

/** Limit of each request to the table in milliseconds. */
const LIMIT = 5000;

const { queues, deadLetterQueueUrl, from, baseUrl } = readMailEnvironment();
const service = readServiceEnvironment();
const connection = openConnection(readTableEnvironment());

/** Lambda calls it for each batch of messages in the queues of emails. */
export const handler = mailHandler({
  table: connection.withLimit(LIMIT),
  baseUrl,
  leavesMachine: true,
  send: sesSender(from, service),
  ...sqsRetries(queues, deadLetterQueueUrl, service),
});

/** Resolves when the connection is warm. `functions/lambdas/entry.mjs` awaits it in Lambda's initialization phase. */
export const ready = connection.warmUp();
