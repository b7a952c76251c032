import type { HttpHandler } from '../http/context.ts';
import { endpoint, type Service } from '../http/endpoint.ts';
import { json } from '../http/response.ts';
import { ROUTES } from '../routes.ts';
import { findReferralId, setReferralState } from '../table/referrals.ts';
import type { Table } from '../table/table.ts';
import { stateChange, trackedReferral } from './mapping.ts';

/** `POST /v2/tracking/state`: a payment, a churn, a rejection or a restored referral. */
export function stateEndpoint(service: Service<Table>): HttpHandler {
  return endpoint({
    route: ROUTES.setState,
    service,
    input: (_, body) => stateChange(body),
    handle: async ({ caller: { program }, input: { customer, state }, table }) => {
      const id = await findReferralId(table, program.id, customer);
      const referral = await setReferralState(table, program.id, id, state, 'merchant');
      return json(200, { data: trackedReferral(referral) });
    },
  });
}
