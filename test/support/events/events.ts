import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { keyOf } from '../../../functions/kernel/dynamodb/keys.ts';
import { type Clock, type Milliseconds, milliseconds } from '../../../functions/kernel/time.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { toReferralItem } from '../../../functions/referrals/table/referral-item.ts';
import type { Bus, BusEvent, DeliveryMessage, Queue } from '../../../functions/webhooks/stream/destinations.ts';
import { messageBody } from '../../../functions/webhooks/stream/messages.ts';

type Image = NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>;

let sequence = 1000;

/** The record of the table's stream for a write of an item. */
export function itemRecord(before: Item | null, after: Item | null): DynamoDBRecord {
  sequence += 1;
  const image = (item: Item) => marshall(item) as Image;
  return {
    eventID: String(sequence),
    eventName: after === null ? 'REMOVE' : before === null ? 'INSERT' : 'MODIFY',
    dynamodb: {
      Keys: image({ ...keyOf(after ?? before ?? {}) }),
      SequenceNumber: String(sequence),
      ...(before && { OldImage: image(before) }),
      ...(after && { NewImage: image(after) }),
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
  };
}

/** The record of the table's stream for a write of a referral. */
export const streamRecord = (program: string, before: Referral | null, after: Referral | null): DynamoDBRecord =>
  itemRecord(before && toReferralItem(program, before), after && toReferralItem(program, after));

/** The record of a queue's message, as SQS delivers it. */
export function queueRecord(messageId: string, message: DeliveryMessage | string): SQSRecord {
  return {
    messageId,
    receiptHandle: messageId,
    body: typeof message === 'string' ? message : messageBody(message),
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '0',
      SenderId: 'test',
      ApproximateFirstReceiveTimestamp: '0',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:local:000000000000:test',
    awsRegion: 'local',
  };
}

/** A queue in memory. `refuses` makes it refuse messages, as SQS may. */
export class MemoryQueue implements Queue {
  readonly messages: { readonly message: DeliveryMessage; readonly delay: number; readonly visibleAt: Milliseconds }[] =
    [];
  refuses: (message: DeliveryMessage) => boolean = () => false;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async send(
    messages: readonly { readonly message: DeliveryMessage; readonly delay: number }[],
  ): Promise<ReadonlySet<number>> {
    const refused = new Set(messages.flatMap(({ message }, index) => (this.refuses(message) ? [index] : [])));
    if (refused.size === messages.length) throw new Error('made by a test');
    for (const [index, { message, delay }] of messages.entries()) {
      if (!refused.has(index)) {
        this.messages.push({ message, delay, visibleAt: milliseconds(this.#clock() + delay * 1000) });
      }
    }
    return refused;
  }
}

/** A bus in memory. */
export class MemoryBus implements Bus {
  readonly events: BusEvent[] = [];
  refuses: (event: BusEvent) => boolean = () => false;

  async put(events: readonly BusEvent[]): Promise<ReadonlySet<number>> {
    const refused = new Set(events.flatMap((event, index) => (this.refuses(event) ? [index] : [])));
    if (refused.size === events.length) throw new Error('made by a test');
    this.events.push(...events.filter((_, index) => !refused.has(index)));
    return refused;
  }
}
