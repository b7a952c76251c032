import { type Call, callerOf, type JsonService, retrying, type ServiceOptions } from '../../kernel/aws/json-service.ts';
import { valueAt } from '../../kernel/json.ts';
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

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
const SQS: JsonService = { title: 'SQS', name: 'sqs', target: 'AmazonSQS', variable: 'SQS', version: '1.0' };
/** https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html */
const EVENT_BRIDGE: JsonService = {
  title: 'EventBridge',
  name: 'events',
  target: 'AWSEvents',
  variable: 'EVENTBRIDGE',
};

/** A destination rejected all entries. The error has a name because the log contains names, but no messages. */
class AllRefused extends Error {
  override readonly name = 'AllRefused';
}

/**
 * A queue in SQS. The messages of one webhook are a group, so that in a fair queue they do not delay other webhooks
 * (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html).
 */
export function sqsQueue(url: string, options: ServiceOptions): Required<RetryQueue> {
  const call = retrying(callerOf(SQS, options));
  const send = sender(call, url);
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
      await call('ChangeMessageVisibility', { QueueUrl: url, ReceiptHandle, VisibilityTimeout });
    },
  };
}

/** Returns a function that adds poison records to a dead-letter queue in SQS, as JSON. */
export function sqsPoisonRecords(url: string, options: ServiceOptions): AddPoisonRecords {
  const send = sender(retrying(callerOf(SQS, options)), url);
  return (records) => send(records.map((record) => ({ MessageBody: JSON.stringify(record) })));
}

/** An entry of `SendMessageBatch`, without its id. */
interface Entry {
  readonly MessageBody: string;
  readonly DelaySeconds?: number;
  readonly MessageGroupId?: string;
}

function sender(call: Call, url: string) {
  return (entries: readonly Entry[]) =>
    inBatches(entries, async (batch) => {
      const Entries = batch.map((entry, index) => ({ Id: String(index), ...entry }));
      const sent = await call('SendMessageBatch', { QueueUrl: url, Entries });
      const accepted = new Set(listAt(sent, 'Successful').map((entry) => valueAt(entry, 'Id')));
      return Entries.flatMap(({ Id }, index) => (accepted.has(Id) ? [] : [index]));
    });
}

/** An event bus in EventBridge. The resource of an event is its program, for rules that select programs. */
export function eventBridgeBus(name: string, options: ServiceOptions): Bus {
  const call = retrying(callerOf(EVENT_BRIDGE, options));
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
        const put = await call('PutEvents', { Entries: entries });
        const results = listAt(put, 'Entries');
        return entries.flatMap((_, index) => (valueAt(results[index], 'EventId') ? [] : [index]));
      }),
  };
}

/** Returns the list in a response, which omits empty lists. */
const listAt = (response: unknown, name: string): readonly unknown[] => {
  const found = valueAt(response, name);
  return Array.isArray(found) ? found : [];
};

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
