import type { Program } from '../../kernel/accounts/rules/program.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { HttpEvent, HttpHandler } from '../../kernel/http/context.ts';
import { json } from '../../kernel/http/response.ts';
import { type Service, signedRouteHandler } from '../../kernel/http/route-handler.ts';
import { isUuidv7 } from '../../kernel/ids.ts';
import { MAX_SECRETS, type SecretReader, stripeOwner } from '../../kernel/secrets/secrets.ts';
import { secondOf } from '../../kernel/time.ts';
import type { RecordRefusal } from '../../referrals/table/refusals.ts';
import { INVALID_SIGNATURE, isPlausible, isSignedByStripe } from '../rules/signature.ts';
import { receiveStripeEvent } from '../table/apply-event.ts';
import { STRIPE_EVENT_ROUTES } from './event-routes.ts';

/** Maximum size of an event in bytes. Stripe's own events are far smaller. */
const MAX_EVENT = 256 * 1024;

/**
 * Milliseconds between reads of a program's secrets that wrong signatures cause. A wrong signature may be made with a
 * secret that was added just now, but anyone can send wrong ones, and each read costs money.
 */
const SECRETS_AGE = 10_000;

interface EventParts {
  readonly secrets: SecretReader;
  readonly recordRefusal: RecordRefusal;
}

/**
 * `POST /v2/integrations/stripe/{program}`: applies an event of Stripe. Every request with a valid signature and at
 * most 256 KiB returns 200. Throws `Unavailable` if the event could not be stored: then Stripe sends it again.
 */
export function stripeHandler(service: Service<Table>, { secrets, recordRefusal }: EventParts): HttpHandler {
  return signedRouteHandler(STRIPE_EVENT_ROUTES.receiveStripeEvent, service, async (event, body, table) => {
    const program = await verify(event, body, table);
    const { termsOf } = service;
    return json(200, await receiveStripeEvent(table, program, parse(body), { recordRefusal, termsOf }));
  });

  async function verify({ headers, pathParameters }: HttpEvent, body: Buffer, table: Table): Promise<Program> {
    const header = headers['stripe-signature'];
    const now = secondOf(service.clock());
    const id = pathParameters?.['program'] ?? '';
    // Requests that cannot be genuine cost nothing.
    if (body.byteLength > MAX_EVENT || !isPlausible(header, now) || !isUuidv7(id)) throw invalid();
    const program = await service.callers.byProgramId(table, id);
    if (!program) throw invalid();
    // Read only now, although it takes longer: Parameter Store has a quota, which made-up ids must not use up.
    const isSigned = async (maxAge?: number) => {
      const known = await secrets.read(stripeOwner(program.id), maxAge);
      const values = known.slice(0, MAX_SECRETS).map(({ value }) => value);
      return isSignedByStripe(header, body, values, now);
    };
    if (!(await isSigned()) && !(await isSigned(SECRETS_AGE))) throw invalid();
    return program;
  }
}

/** Parses the JSON of an event; `undefined` if it is not valid. */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function invalid(): ServiceError {
  return new ServiceError('invalid_signature', INVALID_SIGNATURE);
}
