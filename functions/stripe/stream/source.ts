import type { Context } from 'aws-lambda';
import { serviceOn } from '../../kernel/accounts/table/callers.ts';
import type { Connection } from '../../kernel/dynamodb/connection.ts';
import { tableFor } from '../../kernel/http/route-handler.ts';
import { refusalRecorder } from '../../referrals/table/refusals.ts';
import type { EventResult } from '../rules/provider-event.ts';
import { receiveStripeEvent } from '../table/apply-event.ts';

/** The input that the rule of the stack builds from an event on Stripe's event bus. */
export interface SourceEvent {
  /** The id of the program that the Stripe account belongs to. */
  readonly program: string;
  /** The event as Stripe sent it. */
  readonly event: unknown;
}

/** The program of the stack's setting does not exist. The class sets a name because the log contains only names. */
class UnknownProgram extends Error {
  override readonly name = 'UnknownProgram';
}

/**
 * Applies events of Stripe that arrive through EventBridge, which needs no secret: only Stripe can put events on a
 * partner event bus. Throws `Unavailable`, after which Lambda tries again and then keeps the event in the dead-letter
 * queue (https://docs.stripe.com/event-destinations/eventbridge).
 */
export function stripeSourceHandler(
  connection: Connection,
): (event: SourceEvent, context: Context) => Promise<EventResult> {
  const service = serviceOn(connection);
  const recordRefusal = refusalRecorder(connection.clock);
  return async ({ program: id, event }, context) => {
    const table = tableFor(service, context);
    const program = await service.callers.byProgramId(table, id);
    if (!program) throw new UnknownProgram('The program of the setting stripeProgram does not exist.');
    return receiveStripeEvent(table, program, event, { recordRefusal, termsOf: service.termsOf });
  };
}
