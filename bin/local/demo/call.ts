import type { Demo } from './demo.ts';
import type { DemoReceiver } from './receiver.ts';
import type { Service } from './service.ts';
import type { SendStripeEvent } from './stripe.ts';

/** A visitor of the shop, and what the shop knows. */
export interface Visit {
  readonly cookies: string | undefined;
  /** Called with the token of the program, which never leaves the server. */
  readonly service: Service;
  readonly demo: Demo;
}

/** What an action of the shop works with. */
export interface Call extends Visit {
  readonly body: Buffer;
  /** Port of the service. */
  readonly port: number;
  readonly sendStripeEvent: SendStripeEvent;
  readonly receiver: DemoReceiver;
}
