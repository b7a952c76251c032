import type { ServerResponse } from 'node:http';
import type { RecordMetrics } from '../../../functions/kernel/log/metrics.ts';
import type { Secret } from '../../../functions/kernel/secrets/secrets.ts';
import { type Milliseconds, milliseconds, systemClock } from '../../../functions/kernel/time.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import type { ReferralEvent } from '../../../functions/referrals/rules/referral-event.ts';
import { eventsOf } from '../../../functions/referrals/rules/referral-event.ts';
import type { Webhook } from '../../../functions/webhooks/rules/webhook.ts';
import { deliverHandler } from '../../../functions/webhooks/stream/deliver.ts';
import type { DeliveryMessage } from '../../../functions/webhooks/stream/destinations.ts';
import { sender } from '../../../functions/webhooks/stream/send.ts';
import { listDeliveries } from '../../../functions/webhooks/table/deliveries.ts';
import { MemoryQueue, queueRecord } from '../events/events.ts';
import { type Receiver, startReceiver } from '../events/receiver.ts';
import type { Sqs } from '../events/sqs.ts';
import { anAdvocate, aProgram, aReferral, newId } from '../program.ts';
import { atTime, type TestTable } from '../table.ts';
import { aWebhook } from './webhooks.ts';

/** Far longer than any response on this machine takes, in milliseconds. */
const GENEROUS_TIME = 60_000;

type ReferralMessage = DeliveryMessage & { readonly event: ReferralEvent };

/** A program with a webhook, a receiver behind it, and `deliver` with a queue in memory and a clock of its own. */
export class DeliveryScene {
  /** The time of the test. */
  now: Milliseconds = systemClock();
  /** The secrets of all webhooks, newest first. */
  secrets: Secret[] = [];
  /** Reads them. */
  readSecrets: () => Promise<readonly Secret[]> = async () => this.secrets;
  /** Responds to the next requests. */
  respond: (response: ServerResponse) => void = (response) => response.end();
  readonly table: TestTable;
  readonly queue: MemoryQueue;
  readonly deadLetters: MemoryQueue;
  readonly receiver: Receiver;
  readonly program: Awaited<ReturnType<typeof aProgram>>;
  readonly referral: Referral;
  readonly advocateId: string;
  readonly webhook: Webhook;
  /** What `deliver` recorded. */
  readonly metrics: Parameters<RecordMetrics>[] = [];
  /** `deliver`, as Lambda calls it. */
  readonly handler: ReturnType<typeof deliverHandler>;
  /** Passes messages to `deliver`, and returns the indexes of failed messages. */
  readonly deliver: (...messages: readonly (DeliveryMessage | string)[]) => Promise<number[]>;

  private constructor(table: TestTable, receiver: Receiver, stored: Stored, options: SceneOptions) {
    const clock = () => this.now;
    this.table = atTime(table, clock);
    this.queue = new MemoryQueue(clock);
    this.deadLetters = new MemoryQueue(clock);
    this.receiver = receiver;
    this.program = stored.program;
    this.referral = stored.referral;
    this.advocateId = stored.advocateId;
    this.webhook = stored.webhook;
    this.handler = deliverHandler({
      table: (options.faulty ?? table).but({ clock }),
      retries: options.sqs?.queue('retries') ?? this.queue,
      deadLetters: options.sqs?.queue('dead-letters') ?? this.deadLetters,
      secrets: { read: () => this.readSecrets() },
      send: sender({ clock, allowLoopback: true, timeout: options.timeout ?? GENEROUS_TIME }),
      webhookTtl: 0,
      recordMetrics: (...recorded) => this.metrics.push(recorded),
    });
    this.deliver = async (...messages) => {
      const records = messages.map((message, index) => queueRecord(String(index), message));
      const { batchItemFailures } = await this.handler({ Records: records });
      return batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier));
    };
    this.rotate(1);
  }

  /** Stores everything and starts the receiver. */
  static async create(table: TestTable, options: SceneOptions = {}): Promise<DeliveryScene> {
    const scenes: DeliveryScene[] = [];
    const receiver = await startReceiver((response) => scenes[0]?.respond(response));
    const program = await aProgram(table);
    const advocate = await anAdvocate(table, program);
    const referral = await aReferral(table, program, advocate, { customerUid: newId(), flags: ['self_referral'] });
    const webhook = await aWebhook(table, program, { url: receiver.url, ...options.webhook });
    const stored = { program, referral, advocateId: advocate.id, webhook };
    const scene = new DeliveryScene(table, receiver, stored, options);
    scenes.push(scene);
    return scene;
  }

  /** The first message for the webhook, with changes. */
  message(changes: Partial<ReferralMessage> = {}): ReferralMessage {
    const [event] = eventsOf(this.referral);
    if (!event) throw new Error('The referral has no event.');
    const { program, webhook, advocateId } = this;
    return { program: program.id, webhook: webhook.id, event, advocateId, attempt: 1, due: this.now, ...changes };
  }

  /** Adds a secret, which becomes the newest one. Its key is 24 times the given byte. */
  rotate(byte: number): void {
    this.secrets.unshift({ value: secretOf(byte), createdAt: this.now });
  }

  /** Delivers the messages of the queue, each when it is visible, until none is left. */
  async drain(): Promise<void> {
    for (;;) {
      const { messages } = this.queue;
      const [next] = messages.toSorted((one, other) => one.visibleAt - other.visibleAt);
      if (!next) return;
      messages.splice(messages.indexOf(next), 1);
      this.now = milliseconds(Math.max(this.now, next.visibleAt));
      if ((await this.deliver(next.message)).length > 0) throw new Error('A message was not handled.');
    }
  }

  /** The recorded deliveries, newest first. */
  deliveries() {
    return listDeliveries(this.table, this.program.id, this.webhook.id, 100);
  }

  /** The bodies that the receiver got. */
  bodies(): { readonly type: string; readonly data: Record<string, unknown> }[] {
    return this.receiver.received.map(({ body }) => JSON.parse(body));
  }
}

type Stored = Pick<DeliveryScene, 'program' | 'referral' | 'advocateId' | 'webhook'>;

interface SceneOptions {
  readonly webhook?: Partial<Webhook>;
  /** The queues, in place of the queues in memory. */
  readonly sqs?: Sqs;
  /** The table that `deliver` uses. */
  readonly faulty?: TestTable;
  /** Time limit of a request in milliseconds. */
  readonly timeout?: number;
}

/** A secret whose key is 24 times the given byte. */
export const secretOf = (byte: number): string => `whsec_${Buffer.alloc(24, byte).toString('base64')}`;
