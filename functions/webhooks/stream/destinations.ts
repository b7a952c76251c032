import type { DynamoDBRecord } from 'aws-lambda';
import type { Milliseconds } from '../../kernel/time.ts';
import type { WebhookEvent } from '../rules/event.ts';

/** An event on its way to one webhook. It is all that a queue stores: nothing about the person, and no secret. */
export interface DeliveryMessage {
  readonly program: string;
  readonly webhook: string;
  readonly event: WebhookEvent;
  /** The service's id of the advocate; `null` if the advocate does not exist, or the event does not contain it. */
  readonly advocateId: string | null;
  /** The next attempt, from 1. */
  readonly attempt: number;
  /** The attempt is not made before this time. */
  readonly due: Milliseconds;
  /** Since when this attempt cannot be made because the table or the secrets cannot be read. */
  readonly postponedSince?: Milliseconds | undefined;
}

/** A queue of deliveries with at-least-once delivery: `deliver` receives its messages. */
export interface Queue {
  /**
   * Adds messages, each with a delay in whole seconds, after which it is visible. A queue with a shorter longest delay
   * makes it visible earlier. Returns the indexes of the rejected ones. Throws if all of them were rejected.
   */
  send(
    messages: readonly { readonly message: DeliveryMessage; readonly delay: number }[],
  ): Promise<ReadonlySet<number>>;
}

/** The queue of the attempts that wait until they are due. */
export interface RetryQueue extends Queue {
  /**
   * Extends the visibility timeout of a message that was received too early: to whole seconds, or as long as the queue
   * allows. The message must be reported as failed, so that the queue keeps it. Throws if the queue refuses. Absent if
   * any delay is possible.
   */
  extendVisibility?(receiptHandle: string, seconds: number): Promise<void>;
}

/** An event on the bus. */
export interface BusEvent {
  readonly program: string;
  readonly type: string;
  /** JSON. */
  readonly detail: string;
}

/** The event bus. */
export interface Bus {
  /** Puts events. Returns the indexes of the rejected ones. Throws if all of them were rejected. */
  put(events: readonly BusEvent[]): Promise<ReadonlySet<number>>;
}

/** What is kept of a record of the stream that can never be published. It contains nothing about the customer. */
export interface PoisonRecord {
  /** Its position in the stream. */
  readonly sequenceNumber: string;
  /** The keys of the referral's row, as the stream has them. */
  readonly keys: NonNullable<DynamoDBRecord['dynamodb']>['Keys'];
}

/** Adds records to a dead-letter queue. Returns the indexes of the rejected ones. Throws if all of them were rejected. */
export type AddPoisonRecords = (records: readonly PoisonRecord[]) => Promise<ReadonlySet<number>>;
