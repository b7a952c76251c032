import { openConnection } from '../kernel/dynamodb/connection.ts';
import { readPublishEnvironment, readServiceEnvironment, readTableEnvironment } from '../kernel/environment.ts';
import { eventBridgeBus, sqsPoisonRecords, sqsQueue } from '../webhooks/stream/aws.ts';
import { publishHandler } from '../webhooks/stream/publish.ts';

/** Limit of each request to the table in milliseconds. */
const LIMIT = 5000;

const { queueUrl, busName, unpublishedQueueUrl } = readPublishEnvironment();
const service = readServiceEnvironment();
const connection = openConnection(readTableEnvironment());

/** Lambda calls it for each batch of the table's stream. */
export const handler = publishHandler({
  table: connection.withLimit(LIMIT),
  queue: sqsQueue(queueUrl, service),
  bus: eventBridgeBus(busName, service),
  addPoisonRecords: sqsPoisonRecords(unpublishedQueueUrl, service),
});

/** Resolves when the connection is warm. `functions/lambdas/entry.mjs` awaits it in Lambda's initialization phase. */
export const ready = connection.warmUp();
