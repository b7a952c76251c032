import { Webhook } from 'standardwebhooks';
import type { HttpResult } from '../../../functions/http/context.ts';
import type { PageRequest } from '../gateway.ts';

/** A delivery whose signature the shop has verified. */
export interface ReceivedDelivery {
  /** Counts the deliveries of this start from 1. A repeated delivery has another number, but the same id. */
  readonly number: number;
  /** The header `webhook-id`. */
  readonly id: string;
  /** The header `webhook-timestamp`: when the service sent it, in Unix seconds. */
  readonly sent_at: number;
  /** In milliseconds since 1970. */
  readonly received_at: number;
  /** The JSON that was signed. */
  readonly body: string;
}

/** Number of deliveries that the shop remembers. */
const KEPT = 50;

/** The receiver of the demo shop, written as docs/webhooks.md recommends. */
export class DemoReceiver {
  readonly #webhook: Webhook;
  #count = 0;
  #deliveries: readonly ReceivedDelivery[] = [];

  /** `secret` is the webhook's `whsec_…`. */
  constructor(secret: string) {
    this.#webhook = new Webhook(secret);
  }

  /** The last deliveries, newest first. */
  get deliveries(): readonly ReceivedDelivery[] {
    return this.#deliveries;
  }

  /** Verifies and remembers a delivery. Responds with 400 if its signature is not valid. */
  receive({ headers, body }: Pick<PageRequest, 'headers' | 'body'>): HttpResult {
    const header = (name: string) => String(headers[name] ?? '');
    const [id, sentAt] = [header('webhook-id'), header('webhook-timestamp')];
    try {
      const signature = header('webhook-signature');
      this.#webhook.verify(body, { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signature });
    } catch {
      return { statusCode: 400 };
    }
    this.#count += 1;
    const delivery = {
      number: this.#count,
      id,
      sent_at: Number(sentAt),
      received_at: Date.now(),
      body: String(body),
    };
    this.#deliveries = [delivery, ...this.#deliveries].slice(0, KEPT);
    return { statusCode: 204 };
  }
}
