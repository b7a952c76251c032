import { openConnection } from '../kernel/dynamodb/connection.ts';
import {
  readEmailQueues,
  readPublishEnvironment,
  readServiceEnvironment,
  readTableEnvironment,
} from '../kernel/environment.ts';
import { emailQueuer, inTurn } from '../people/stream/queue-emails.ts';
import { sqsEmails } from '../people/stream/sqs.ts';
import { eventBridgeBus, sqsPoisonRecords, sqsQueue } from '../webhooks/stream/aws.ts';
import { publishHandler } from '../webhooks/stream/publish.ts';

/** Limit of each request to the table in milliseconds. */
const LIMIT = 5000;

const { queueUrl, busName, unpublishedQueueUrl } = readPublishEnvironment();
const service = readServiceEnvironment();
const connection = openConnection(readTableEnvironment());
const table = connection.withLimit(LIMIT);

/** `publish` with emails: Lambda calls it for each batch of the table's stream. */
export const handler = inTurn(
  emailQueuer({ table, queue: sqsEmails(readEmailQueues(), service) }),
  publishHandler({
    table,
    queue: sqsQueue(queueUrl, service),
    bus: eventBridgeBus(busName, service),
    addPoisonRecords: sqsPoisonRecords(unpublishedQueueUrl, service),
  }),
);

/** Resolves when the connection is warm. `functions/lambdas/entry.mjs` awaits it in Lambda's initialization phase. */
export const ready = connection.warmUp();
