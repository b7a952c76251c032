import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { RequestRefused, Unavailable } from '../../kernel/errors.ts';
import { logFailure } from '../../kernel/log/failure.ts';
import type { RecordMetrics } from '../../kernel/log/metrics.ts';
import { type SecretReader, signingSecrets, webhookOwner } from '../../kernel/secrets/secrets.ts';
import { entryEventBody } from '../../ledger/rules/entry-event.ts';
import { applicationEventBody } from '../../people/rules/applications/application-event.ts';
import { eventBody } from '../../referrals/rules/referral-event.ts';
import { NO_VALUES } from '../../referrals/rules/referral-fields.ts';
import { findReferral } from '../../referrals/table/customers.ts';
import { isApplicationEvent, isEntryEvent } from '../rules/event.ts';
import { type Delivery, isSuccess, type Webhook } from '../rules/webhook.ts';
import { countAttempt } from '../table/attempts.ts';
import { recordDelivery } from '../table/deliveries.ts';
import { enabledWebhooks } from '../table/webhooks.ts';
import type { DeliveryMessage } from './destinations.ts';
import { parseMessage } from './messages.ts';
import { keepUntilDue, postponeAttempt, queueNextAttempt, type RetryDependencies } from './retries.ts';
import type { Send, SendResult } from './send.ts';

/** Everything that `deliver` uses: `functions/lambdas` builds it on AWS, `bin/local/events` in the local service. */
export interface DeliverDependencies extends RetryDependencies {
  /** The table, with a limit for each request instead of a deadline. Its clock and its randomness are also used. */
  readonly table: Table;
  readonly secrets: SecretReader;
  readonly send: Send;
  /** How long webhooks are cached, in milliseconds. By default, changes take effect within 30 seconds. */
  readonly webhookTtl?: number;
  /** Absent in the local service. */
  readonly recordMetrics?: RecordMetrics;
  /** Is told of each failed attempt. Absent on AWS, which has metrics. */
  readonly reportFailure?: (message: DeliveryMessage, result: SendResult) => void;
}

/** The program and the result of an attempt. */
interface Outcome {
  readonly program: string;
  readonly succeeded: boolean;
}

/** A batch of messages: what `deliver` reads of Lambda's event. */
interface MessageBatch {
  readonly Records: readonly Pick<SQSRecord, 'messageId' | 'receiptHandle' | 'body'>[];
}

/** How much too early an attempt may be made, in milliseconds: the clocks of two environments may differ so much. */
const TOLERANCE = 1000;
/** What an attempt sends. */
type PreparedRequest = Parameters<Send>;

/** A webhook has no secret: it has just been deleted, or the store lags behind. The message is tried again. */
class SecretMissing extends Error {
  override readonly name = 'SecretMissing';
}

/**
 * Returns the function that delivers all messages of a batch simultaneously. A failed delivery adds the next attempt,
 * with its time, to the retries; after the last attempt, it adds a dead letter. If the table or the secrets cannot be
 * read, the attempt is postponed by five minutes and does not count. The response lists the messages that the queue must
 * keep: they are not due, or could not be handled.
 */
export function deliverHandler(dependencies: DeliverDependencies): (batch: MessageBatch) => Promise<SQSBatchResponse> {
  const { table, webhookTtl, recordMetrics } = dependencies;
  const webhooks = enabledWebhooks(table, table.clock, webhookTtl);

  /** Handles a message, and adds the outcome of an attempt. Returns true if the queue must keep it. */
  async function handle(message: DeliveryMessage, receiptHandle: string, outcomes: Outcome[]): Promise<boolean> {
    const { program, webhook: id } = message;
    if (message.due - table.clock() > TOLERANCE) {
      // Whatever the error is, it counts only when the attempt is due.
      const isWanted = await webhooks.find(program, id).then(Boolean, () => true);
      return isWanted && keepUntilDue(dependencies, message, receiptHandle);
    }
    let request: PreparedRequest;
    try {
      const webhook = await webhooks.find(program, id);
      // It was disabled or deleted after the event was queued: nothing is sent.
      if (!webhook) return false;
      request = await prepare(dependencies, message, webhook);
    } catch (error) {
      // A refusal is a missing permission, table or key, which only the operator can repair.
      if (!(error instanceof Unavailable || error instanceof RequestRefused)) throw error;
      await postponeAttempt(dependencies, message, error);
      return false;
    }
    // Not above: a request that was made is never postponed, whatever fails after it.
    await attempt(dependencies, message, request, (succeeded) => outcomes.push({ program, succeeded }));
    return false;
  }

  return async ({ Records }) => {
    const outcomes: Outcome[] = [];
    const kept = await Promise.all(
      Records.map(async ({ messageId, receiptHandle, body }) => {
        try {
          return (await handle(parseMessage(body), receiptHandle, outcomes)) ? [{ itemIdentifier: messageId }] : [];
        } catch (error) {
          logFailure('delivery_not_handled', { messageId }, error);
          return [{ itemIdentifier: messageId }];
        }
      }),
    );
    for (const [program, own] of Map.groupBy(outcomes, (outcome) => outcome.program)) {
      const succeeded = own.filter((outcome) => outcome.succeeded).length;
      recordMetrics?.(program, { SucceededDeliveries: succeeded, FailedDeliveries: own.length - succeeded });
    }
    return { batchItemFailures: kept.flat() };
  };
}

/** Reads what an attempt sends. Throws `SecretMissing`, and the errors of the table and of the secrets. */
async function prepare(
  { table, secrets }: DeliverDependencies,
  message: DeliveryMessage,
  webhook: Webhook,
): Promise<PreparedRequest> {
  const { program, event } = message;
  const keys = signingSecrets(await secrets.read(webhookOwner(program, webhook.id)), table.clock());
  if (keys.length === 0) throw new SecretMissing();
  // Last, because the person may be erased while the secrets are read.
  const body = JSON.stringify(await bodyFor(table, message, webhook));
  return [webhook.url, { id: event.id, body }, keys];
}

/** Makes one attempt, decides what follows, and records it. */
async function attempt(
  dependencies: DeliverDependencies,
  message: DeliveryMessage,
  request: PreparedRequest,
  onResult: (succeeded: boolean) => void,
): Promise<void> {
  const { table, send, reportFailure } = dependencies;
  const { event } = message;
  const startedAt = table.clock();
  const result = await send(...request);
  const durationMs = Math.round(table.clock() - startedAt);
  const { status, error } = result;
  onResult(isSuccess(status));
  if (!isSuccess(status)) reportFailure?.(message, result);
  const outcome = { status, error, attempt: message.attempt, durationMs, startedAt };
  const delivery = { eventId: event.id, eventType: event.type, ...outcome };
  const [url] = request;
  const isWanted = await count(table, message, { ...delivery, url });
  if (isWanted && !isSuccess(status)) await queueNextAttempt(dependencies, message, result.retryAfter);
  await record(table, message, delivery);
}

/** Builds the body with what the referral's row contains now, because the person may have been erased meanwhile. */
async function bodyFor(table: Table, { program, event, advocateId }: DeliveryMessage, { includeEmail }: Webhook) {
  if (isEntryEvent(event)) return entryEventBody(event);
  if (isApplicationEvent(event)) return applicationEventBody(event);
  const referral = await findReferral(table, program, event.referralId);
  const current = { ...(referral ?? NO_VALUES), advocateId };
  return eventBody(event, current, includeEmail ? (referral?.email ?? null) : undefined);
}

/**
 * Counts an attempt at its webhook, and logs if this disables it. Returns false if the webhook is disabled or deleted
 * now. If it cannot be changed, the attempt is not counted, and 410 is a failure like any other.
 */
async function count(
  table: Table,
  { program, webhook }: DeliveryMessage,
  delivery: Delivery & { readonly url: string },
): Promise<boolean> {
  try {
    const { isEnabled, disabledFor } = await countAttempt(table, program, webhook, delivery);
    if (disabledFor) logFailure('webhook_disabled', { program, webhook, reason: disabledFor });
    return isEnabled;
  } catch (error) {
    logFailure('attempt_not_counted', { program, webhook, event: delivery.eventId }, error);
    return true;
  }
}

/** Records an attempt. A failure is only logged: an error would make the queue deliver the event again. */
async function record(table: Table, { program, webhook }: DeliveryMessage, delivery: Delivery): Promise<void> {
  try {
    await recordDelivery(table, program, webhook, delivery);
  } catch (error) {
    logFailure('delivery_not_recorded', { program, webhook, event: delivery.eventId }, error);
  }
}
