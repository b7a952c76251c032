import { createHash } from 'node:crypto';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { ServiceOptions } from '../../../functions/kernel/aws/json-service.ts';
import type { Clock } from '../../../functions/kernel/time.ts';
import { sqsQueue } from '../../../functions/webhooks/stream/aws.ts';
import { GENEROUS_LIMITS } from '../table.ts';
import { queueRecord } from './events.ts';
import { startReceiver } from './receiver.ts';

/** How long a message that was received is hidden, in milliseconds: as in `lib/data/events.ts`. */
const VISIBILITY = 360_000;
/** Limits of SQS in seconds: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
const MAX_DELAY = 900;
const MAX_VISIBILITY = 12 * 3600;

interface StoredMessage {
  readonly body: string;
  visibleAt: number;
  receivedAt: number;
  receives: number;
  /** The last one. */
  receipt: string;
}

/** Requests of the two actions that `deliver` uses. */
interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
  readonly DelaySeconds: number;
}
interface Sent {
  readonly QueueUrl: string;
  readonly Entries: readonly Entry[];
  readonly ReceiptHandle: string;
  readonly VisibilityTimeout: number;
}

/** SQS at the time of a test, and Lambda's poller, which passes one message at a time. */
export class Sqs {
  /** The number of requests, by action. */
  readonly requests: Record<string, number> = {};
  readonly #messages = new Map<string, StoredMessage[]>();
  readonly #clock: Clock;
  #options: ServiceOptions = {
    region: 'local',
    limits: GENEROUS_LIMITS,
    credentials: async () => ({ accessKeyId: 'local', secretAccessKey: 'local' }),
  };

  private constructor(clock: Clock) {
    this.#clock = clock;
  }

  static async start(clock: Clock): Promise<Sqs> {
    const sqs = new Sqs(clock);
    const { url } = await startReceiver((response, { headers, body }) => {
      const action = String(headers['x-amz-target']).replace('AmazonSQS.', '');
      const result = sqs.#respond(action, JSON.parse(body));
      const content = typeof result === 'string' ? { __type: `com.amazonaws.sqs#${result}` } : result;
      const type = { 'content-type': 'application/x-amz-json-1.0' };
      response.writeHead(typeof result === 'string' ? 400 : 200, type).end(content && JSON.stringify(content));
    });
    sqs.#options = { ...sqs.#options, endpoint: new URL(url).origin };
    return sqs;
  }

  /** The code under test for a queue with a name. */
  queue(name: string) {
    return sqsQueue(`https://sqs.local/1/${name}`, this.#options);
  }

  /** Returns when the next message of a queue can be received; `undefined` if there is none. */
  nextAt(name: string): number | undefined {
    const [next] = this.#of(name).toSorted((one, other) => one.visibleAt - other.visibleAt);
    return next && Math.max(next.visibleAt, this.#clock());
  }

  /** Receives the next message that is visible, calls a function with it, and deletes it unless the function failed. */
  async dispatch(name: string, call: (event: SQSEvent) => Promise<SQSBatchResponse>): Promise<void> {
    const messages = this.#of(name);
    const now = this.#clock();
    const message = messages.find(({ visibleAt }) => visibleAt <= now);
    if (!message) throw new Error('No message is visible.');
    this.#count('ReceiveMessage');
    message.receives += 1;
    message.receivedAt = now;
    message.visibleAt = now + VISIBILITY;
    message.receipt = `${name}.${message.receives}.${now}`;
    const record = { ...queueRecord('1', message.body), receiptHandle: message.receipt };
    const { batchItemFailures } = await call({ Records: [record] });
    if (batchItemFailures.length > 0) return;
    this.#count('DeleteMessage');
    messages.splice(messages.indexOf(message), 1);
  }

  #of(name: string): StoredMessage[] {
    const messages = this.#messages.get(name) ?? [];
    this.#messages.set(name, messages);
    return messages;
  }

  #count(action: string): void {
    this.requests[action] = (this.requests[action] ?? 0) + 1;
  }

  /** Returns the result of a request, if the action has one, or the name of an error. */
  #respond(action: string, sent: Sent): object | string | undefined {
    this.#count(action);
    const name = sent.QueueUrl.replace(/.*\//, '');
    return action === 'SendMessageBatch' ? this.#send(name, sent.Entries) : this.#hide(name, sent);
  }

  #send(name: string, entries: readonly Entry[]): object | string {
    if (entries.some(({ DelaySeconds }) => DelaySeconds > MAX_DELAY)) return 'InvalidParameterValue';
    const Successful = entries.map(({ Id, MessageBody: body, DelaySeconds }) => {
      const visibleAt = this.#clock() + DelaySeconds * 1000;
      this.#of(name).push({ body, visibleAt, receivedAt: 0, receives: 0, receipt: '' });
      return { Id, MessageId: Id, MD5OfMessageBody: createHash('md5').update(body).digest('hex') };
    });
    return { Successful, Failed: [] };
  }

  #hide(name: string, { ReceiptHandle, VisibilityTimeout }: Sent): string | undefined {
    const now = this.#clock();
    const message = this.#of(name).find(({ receipt }) => receipt === ReceiptHandle);
    if (!message) return 'ReceiptHandleIsInvalid';
    if (message.visibleAt <= now) return 'MessageNotInflight';
    const isTooLong = now + VisibilityTimeout * 1000 > message.receivedAt + MAX_VISIBILITY * 1000;
    if (isTooLong || !Number.isInteger(VisibilityTimeout)) return 'InvalidParameterValue';
    message.visibleAt = now + VisibilityTimeout * 1000;
    return undefined;
  }
}
