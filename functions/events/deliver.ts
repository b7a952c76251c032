import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { RequestRefused, Unavailable } from '../domain/errors.ts';
import { eventBody } from '../domain/referral/referral-event.ts';
import { DAY, milliseconds } from '../domain/time.ts';
import { type Delivery, isSuccess, retryDelay, type Webhook } from '../domain/webhook.ts';
import { type SecretReader, signingSecrets, webhookOwner } from '../secrets/secrets.ts';
import { countAttempt } from '../table/attempts.ts';
import { recordDelivery } from '../table/deliveries.ts';
import type { Table } from '../table/dynamodb/table.ts';
import { findReferral } from '../table/referrals/customers.ts';
import { enabledWebhooks } from '../table/webhooks.ts';
import type { DeliveryMessage, Queue } from './destinations.ts';
import { logFailure } from './log.ts';
import { parseMessage } from './messages.ts';
import type { Send, SendResult } from './send.ts';

/** Everything that `deliver` uses: `deliver-lambda.ts` builds it on AWS, `bin/local/events` in the local service. */
export interface DeliverDependencies {
  /** The table, with a limit for each request instead of a deadline. Its clock and its randomness are used, too. */
  readonly table: Table;
  readonly queue: Queue;
  /** Gets the messages whose last attempt failed. */
  readonly deadLetters: Queue;
  readonly secrets: SecretReader;
  readonly send: Send;
  /** How long endpoints are cached, in milliseconds. By default, changes take effect within 30 seconds. */
  readonly endpointTtl?: number;
}

/** The longest delay of a message in SQS, in seconds. */
const MAX_DELAY = 900;
/** Delay of an attempt that could not be made, in milliseconds. */
const POSTPONEMENT = 5 * 60 * 1000;
/** How long an attempt can be postponed, in milliseconds (docs/contract.md, Events). */
const MAX_POSTPONED = 4 * DAY * 1000;

/** What an attempt sends. */
type PreparedRequest = Parameters<Send>;

/** An endpoint has no secret: it has just been deleted, or the store lags behind. The message is tried again. */
class SecretMissing extends Error {
  override readonly name = 'SecretMissing';
}

/**
 * Returns the function that delivers a batch of messages, all at once. A failed delivery goes back to the queue with the
 * time of its next attempt, or to the dead letters after the last one. If the table or the secrets cannot be read, the
 * attempt is postponed by five minutes and does not count. The batch's response contains only messages that could not be
 * handled: the queue hands them out again.
 */
export function deliverHandler(dependencies: DeliverDependencies): (event: SQSEvent) => Promise<SQSBatchResponse> {
  const { table, endpointTtl } = dependencies;
  const webhooks = enabledWebhooks(table, table.clock, endpointTtl);

  async function handle(message: DeliveryMessage): Promise<void> {
    const wait = message.due - table.clock();
    let request: PreparedRequest | undefined;
    try {
      const webhook = await webhooks.find(message.program, message.webhook);
      // It was disabled or deleted after the event was queued: nothing is sent.
      if (!webhook) return;
      if (wait <= 0) request = await prepare(dependencies, message, webhook);
    } catch (error) {
      // A refusal is a missing permission, table or key, which only the operator can repair.
      if (!(error instanceof Unavailable || error instanceof RequestRefused)) throw error;
      if (wait <= 0) return postpone(dependencies, message, error);
    }
    // Not above: a request that was made is never postponed, whatever fails after it.
    await (request ? attempt(dependencies, message, request) : enqueue(dependencies.queue, message, wait / 1000));
  }

  return async ({ Records }) => {
    const failed = await Promise.all(
      Records.map(async ({ messageId, body }) => {
        try {
          await handle(parseMessage(body));
          return [];
        } catch (error) {
          logFailure('delivery_not_handled', { messageId }, error);
          return [{ itemIdentifier: messageId }];
        }
      }),
    );
    return { batchItemFailures: failed.flat() };
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
): Promise<void> {
  const { table, send } = dependencies;
  const { event } = message;
  const startedAt = table.clock();
  const result = await send(...request);
  const durationMs = Math.round(table.clock() - startedAt);
  const { status, error } = result;
  const outcome = { status, error, attempt: message.attempt, durationMs, startedAt };
  const delivery = { eventId: event.id, eventType: event.type, ...outcome };
  const isWanted = await count(table, message, delivery);
  if (isWanted && !isSuccess(status)) await repeat(dependencies, message, result);
  await record(table, message, delivery);
}

/** Builds the body with what the referral's row contains now, because the person may have been erased meanwhile. */
async function bodyFor(table: Table, { program, event, advocateId }: DeliveryMessage, { includeEmail }: Webhook) {
  const referral = await findReferral(table, program, event.referralId);
  const current = { advocateId, uid: referral?.customerUid ?? null, flags: referral?.flags ?? [] };
  return eventBody(event, current, includeEmail ? (referral?.email ?? null) : undefined);
}

/**
 * Counts an attempt at its endpoint, and logs if this disables it. Returns false if the endpoint is disabled or deleted
 * now. If it cannot be changed, the attempt is not counted, and 410 is a failure like any other.
 */
async function count(table: Table, { program, webhook }: DeliveryMessage, delivery: Delivery): Promise<boolean> {
  try {
    const { isEnabled, disabledFor } = await countAttempt(table, program, webhook, delivery);
    if (disabledFor) logFailure('webhook_disabled', { program, webhook, reason: disabledFor });
    return isEnabled;
  } catch (error) {
    logFailure('attempt_not_counted', { program, webhook, event: delivery.eventId }, error);
    return true;
  }
}

/** Queues the next attempt after a failed one or, after the last one, adds a dead letter. */
async function repeat(
  { table, queue, deadLetters }: DeliverDependencies,
  message: DeliveryMessage,
  { retryAfter }: SendResult,
): Promise<void> {
  const { program, webhook, event, attempt } = message;
  const delay = retryDelay(attempt, retryAfter, table.random);
  if (delay === undefined) {
    await enqueue(deadLetters, message, 0);
    logFailure('dead_letter', { program, webhook, event: event.id });
    return;
  }
  // The queue delays by whole seconds. The nearest one is within the jitter: 5 seconds stay 5.
  const seconds = Math.round(delay / 1000);
  const due = milliseconds(table.clock() + seconds * 1000);
  await enqueue(queue, { ...message, attempt: attempt + 1, due, postponedSince: undefined }, seconds);
}

/** Queues the same attempt again, after five minutes. Throws the error if it was postponed for too long. */
async function postpone({ table, queue }: DeliverDependencies, message: DeliveryMessage, error: Error) {
  const now = table.clock();
  const { program, webhook, event, postponedSince = now } = message;
  if (now - postponedSince >= MAX_POSTPONED) throw error;
  const due = milliseconds(now + POSTPONEMENT);
  await enqueue(queue, { ...message, due, postponedSince }, POSTPONEMENT / 1000);
  logFailure('delivery_postponed', { program, webhook, event: event.id }, error);
}

/** Adds a message to a queue after a number of seconds, or after the longest possible delay. Throws if it fails. */
async function enqueue(queue: Queue, message: DeliveryMessage, seconds: number): Promise<void> {
  await queue.send([{ message, delay: Math.min(Math.ceil(seconds), MAX_DELAY) }]);
}

/** Records an attempt. A failure is only logged: an error would make the queue deliver the event again. */
async function record(table: Table, { program, webhook }: DeliveryMessage, delivery: Delivery): Promise<void> {
  try {
    await recordDelivery(table, program, webhook, delivery);
  } catch (error) {
    logFailure('delivery_not_recorded', { program, webhook, event: delivery.eventId }, error);
  }
}
