import { openConnection } from '../kernel/dynamodb/connection.ts';
import {
  readDeliverEnvironment,
  readParameterEnvironment,
  readStage,
  readTableEnvironment,
} from '../kernel/environment.ts';
import { metricLog } from '../kernel/log/metrics.ts';
import { parameterReader } from '../kernel/secrets/parameter-store.ts';
import { cachedSecrets } from '../kernel/secrets/secrets.ts';
import { sqsQueue } from '../webhooks/stream/aws.ts';
import { deliverHandler } from '../webhooks/stream/deliver.ts';
import { sender } from '../webhooks/stream/send.ts';

/** Limit of each request to the table in milliseconds. */
const LIMIT = 5000;

const { retryQueueUrl, deadLetterQueueUrl } = readDeliverEnvironment();
const service = readParameterEnvironment();
const connection = openConnection(readTableEnvironment());
const { clock } = connection;

/** Lambda calls it for each batch of messages in the queues of first attempts and of retries. */
export const handler = deliverHandler({
  table: connection.withLimit(LIMIT),
  retries: sqsQueue(retryQueueUrl, service),
  deadLetters: sqsQueue(deadLetterQueueUrl, service),
  secrets: cachedSecrets(parameterReader(service), clock),
  send: sender({ clock, allowLoopback: false }),
  recordMetrics: metricLog(readStage(), clock, (line) => process.stdout.write(line)),
});

/** Resolves when the connection is warm. `functions/lambdas/entry.mjs` awaits it in Lambda's initialization phase. */
export const ready = connection.warmUp();
