import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { logFailure } from '../../kernel/log/failure.ts';
import { type Clock, type Milliseconds, milliseconds } from '../../kernel/time.ts';
import { type EmailQueueName, queueOf } from '../rules/email-cause.ts';
import { causedBy } from '../table/causes.ts';
import { keepPreviousEmail } from '../table/previous-emails.ts';
import { type EmailMessage, type EmailQueue, MAX_MESSAGES } from './messages.ts';

export type StreamHandler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

interface QueueDependencies {
  readonly table: Table;
  readonly queue: EmailQueue;
}

/**
 * Returns the function that queues the emails that a batch of the table's stream causes: links to sign in first, which wait
 * for no other email. The response contains the sequence numbers of the failed records, which Lambda passes again: an email
 * that is queued twice is sent once. A record that cannot be read causes no email.
 */
export function emailQueuer({ table, queue }: QueueDependencies): StreamHandler {
  return async ({ Records }) => {
    const failed = new Set<string>();
    async function attempt(sequences: Iterable<string>, work: () => Promise<void>): Promise<void> {
      try {
        await work();
      } catch (error) {
        for (const record of new Set(sequences)) logFailure('emails_not_queued', { record }, error);
        for (const record of sequences) failed.add(record);
      }
    }
    async function send(name: EmailQueueName, all: readonly QueuedEmail[]): Promise<void> {
      const own = all.filter(({ sequence, message }) => queueOf(message.cause) === name && !failed.has(sequence));
      for (let start = 0; start < own.length; start += MAX_MESSAGES) {
        const some = own.slice(start, start + MAX_MESSAGES);
        const messages = some.map(({ message }) => message);
        const sequences = some.map(({ sequence }) => sequence);
        await attempt(sequences, () => queue.send(name, messages));
      }
    }

    const found = Records.flatMap((record) => readCaused(record, table.clock) ?? []);
    const emails = found.flatMap(({ sequence, program, causes, causedAt }) =>
      causes.map((cause): QueuedEmail => ({ sequence, message: { program, cause, causedAt } })),
    );
    await send('links', emails);
    for (const { sequence, program, previous } of found) {
      if (previous) await attempt([sequence], () => keepPreviousEmail(table, program, previous));
    }
    await send('others', emails);
    return { batchItemFailures: [...failed].map((itemIdentifier) => ({ itemIdentifier })) };
  };
}

/** A message, and the record that caused it. */
interface QueuedEmail {
  readonly sequence: string;
  readonly message: EmailMessage;
}

const sequenceOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? '';

function readCaused(record: DynamoDBRecord, clock: Clock) {
  try {
    const caused = causedBy(record);
    return caused && { ...caused, sequence: sequenceOf(record), causedAt: writtenAt(record) ?? clock() };
  } catch (error) {
    logFailure('emails_unreadable', { record: sequenceOf(record) }, error);
    return undefined;
  }
}

/** When an item was written, which may be a day before the stream's record is read; `undefined` if the record has no time. */
function writtenAt({ dynamodb }: DynamoDBRecord): Milliseconds | undefined {
  const seconds = dynamodb?.ApproximateCreationDateTime;
  return seconds === undefined ? undefined : milliseconds(seconds * 1000);
}

/**
 * Returns a function that passes each batch to two handlers. The stream passes the first record that failed and all later
 * ones again: the second handler only gets the records before it.
 */
export function inTurn(first: StreamHandler, second: StreamHandler): StreamHandler {
  return async ({ Records }) => {
    const { batchItemFailures } = await first({ Records });
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const end = Records.findIndex((record) => failed.has(sequenceOf(record)));
    const others = await second({ Records: end === -1 ? Records : Records.slice(0, end) });
    return { batchItemFailures: [...others.batchItemFailures, ...batchItemFailures] };
  };
}
