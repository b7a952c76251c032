import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { AddPoisonRecords, Bus, RetryQueue } from './destinations.ts';
import { messageBody } from './messages.ts';

/** Maximum number of entries in one request, of both services. */
const MAX_ENTRIES = 10;
/** The longest delay of a new message in SQS, in seconds. */
const MAX_DELAY = 900;
/**
 * The longest visibility timeout, in seconds. SQS limits it to 12 hours from the receipt, which Lambda may have held
 * back for as long as the visibility timeout of the queues: six minutes.
 */
export const MAX_HIDDEN = 12 * 3600 - 6 * 60;
/** The name of the service in events on the bus. */
const SOURCE = 'referral-tracking';

/** Options of the SDK's clients. `endpoint` is for tests; the SDK finds region and credentials where it runs. */
export interface AwsOptions {
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/**
 * The limits of a request, in milliseconds. Both services respond within tens of milliseconds. Without
 * throwOnRequestTimeout, the SDK only logs a warning, and a request that hangs never ends.
 */
const LIMITS = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
};

/** A destination rejected all entries. The error has a name because the log contains names, but no messages. */
class AllRefused extends Error {
  override readonly name = 'AllRefused';
}

/**
 * A queue in SQS. The messages of one webhook are a group, so that in a fair queue they do not delay other webhooks
 * (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html).
 */
export function sqsQueue(url: string, options: AwsOptions = {}): Required<RetryQueue> {
  const client = sqsClient(options);
  const send = sender(client, url);
  return {
    send: (messages) =>
      send(
        messages.map(({ message, delay }) => ({
          MessageBody: messageBody(message),
          DelaySeconds: Math.min(delay, MAX_DELAY),
          MessageGroupId: message.webhook,
        })),
      ),
    extendVisibility: async (ReceiptHandle, seconds) => {
      const VisibilityTimeout = Math.min(seconds, MAX_HIDDEN);
      await client.send(new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle, VisibilityTimeout }));
    },
  };
}

/** Returns a function that adds poison records to a dead-letter queue in SQS, as JSON. */
export function sqsPoisonRecords(url: string, options: AwsOptions = {}): AddPoisonRecords {
  const send = sender(sqsClient(options), url);
  return (records) => send(records.map((record) => ({ MessageBody: JSON.stringify(record) })));
}

const sqsClient = (options: AwsOptions) => new SQSClient({ ...LIMITS, ...options });

function sender(client: SQSClient, url: string) {
  return (entries: readonly Omit<SendMessageBatchRequestEntry, 'Id'>[]) =>
    inBatches(entries, async (batch) => {
      const Entries = batch.map((entry, index) => ({ Id: String(index), ...entry }));
      const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
      return Failed.map(({ Id }) => Number(Id));
    });
}

/** An event bus in EventBridge. The resource of an event is its program, for rules that select programs. */
export function eventBridgeBus(name: string, options: AwsOptions = {}): Bus {
  const client = new EventBridgeClient({ ...LIMITS, ...options });
  return {
    put: (events) =>
      inBatches(events, async (batch) => {
        const entries = batch.map(({ program, type, detail }) => ({
          EventBusName: name,
          Source: SOURCE,
          DetailType: type,
          Detail: detail,
          Resources: [program],
        }));
        const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: entries }));
        return Entries.flatMap(({ ErrorCode }, index) => (ErrorCode === undefined ? [] : [index]));
      }),
  };
}

/**
 * Sends values in as many simultaneous requests as necessary. `send` returns the indexes of rejected values in its
 * batch. Returns the indexes of all rejected values. Throws if all of them were rejected.
 */
async function inBatches<Value>(
  values: readonly Value[],
  send: (batch: readonly Value[]) => Promise<readonly number[]>,
): Promise<ReadonlySet<number>> {
  const starts = values.flatMap((_, index) => (index % MAX_ENTRIES === 0 ? [index] : []));
  const errors: unknown[] = [];
  const rejected = await Promise.all(
    starts.map(async (start) => {
      const batch = values.slice(start, start + MAX_ENTRIES);
      try {
        return (await send(batch)).map((index) => start + index);
      } catch (error) {
        errors.push(error);
        return batch.map((_, index) => start + index);
      }
    }),
  );
  const indexes = new Set(rejected.flat());
  if (values.length > 0 && indexes.size === values.length) throw errors[0] ?? new AllRefused();
  return indexes;
}
