import { uuidv7 } from '../domain/uuid.ts';
import { json } from '../http/answer.ts';
import type { HttpHandler } from '../http/call.ts';
import { endpoint } from '../http/endpoint.ts';
import { ROUTES } from '../routes.ts';
import { authenticator } from '../table/authenticator.ts';
import { trackConversion } from '../table/conversions.ts';
import type { Table } from '../table/table.ts';
import { conversionV1 } from './conversion-v1.ts';
import { convertedReferral } from './resource.ts';

/** `POST /v1/tracking/conversion`: one conversion, of which the same `Idempotency-Key` gets the same answer. */
export function trackingHandler(table: Table): HttpHandler {
  return endpoint({
    route: ROUTES.trackConversionV1,
    authenticate: authenticator(table),
    clock: table.clock,
    input: ({ headers }, body) => conversionV1(body, headers['idempotency-key']),
    handle: async ({ caller: { program }, input, deadline }) => {
      const newId = uuidv7(table.clock(), table.random);
      const { referral, replayed } = await trackConversion(table, { program, newId, ...input }, deadline);
      const headers = replayed ? { 'idempotent-replayed': 'true' } : {};
      return json(201, { data: convertedReferral(referral) }, headers);
    },
  });
}
