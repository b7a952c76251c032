import { Webhook } from 'standardwebhooks';
import type { HttpResult } from '../../../functions/http/context.ts';
import type { PageRequest } from '../gateway.ts';

/** A delivery whose signature the shop has verified. */
interface Delivery {
  /** Counts the deliveries of this start from 1. A repeated delivery has another number, but the same id. */
  readonly number: number;
  readonly id: string;
  /** The header `webhook-timestamp`, in Unix seconds. */
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
  /** The last deliveries, newest first. */
  deliveries: readonly Delivery[] = [];
  readonly #webhook: Webhook;

  constructor(secret: string) {
    this.#webhook = new Webhook(secret);
  }

  /** Verifies and remembers a delivery. Responds with 400 if its signature is not valid. */
  receive({ headers, body }: PageRequest): HttpResult {
    const signed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const { 'webhook-id': id = '', 'webhook-timestamp': sentAt } = signed;
    try {
      this.#webhook.verify(body, signed);
    } catch {
      return { statusCode: 400 };
    }
    const number = (this.deliveries[0]?.number ?? 0) + 1;
    const delivery = { number, id, sent_at: Number(sentAt), received_at: Date.now(), body: String(body) };
    this.deliveries = [delivery, ...this.deliveries].slice(0, KEPT);
    return { statusCode: 204 };
  }
}
