import type { Customer } from '../domain/referral.ts';
import type { State } from '../domain/state.ts';
import type { HttpHandler } from '../http/context.ts';
import { endpoint, type Service } from '../http/endpoint.ts';
import { json } from '../http/response.ts';
import { validBody } from '../http/validation.ts';
import { ROUTES } from '../routes.ts';
import { findReferralId, setReferralState } from '../table/referrals.ts';
import type { Table } from '../table/table.ts';
import { customerOf } from './customer.ts';
import { trackedReferral } from './resource.ts';
import { stateBody } from './validators.js';

/** `POST /v2/tracking/state`: a payment, a loss, a rejection or its taking back. */
export function stateEndpoint(service: Service<Table>): HttpHandler {
  return endpoint({
    route: ROUTES.setState,
    service,
    input: (_, body) => stateInput(body),
    handle: async ({ caller: { program }, input: { customer, state }, table }) => {
      const id = await findReferralId(table, program.id, customer);
      const referral = await setReferralState(table, program.id, id, state, 'merchant');
      return json(200, { data: trackedReferral(referral) });
    },
  });
}

/** Reads a change of state of a parsed body. Throws `InvalidField`. */
export function stateInput(json: unknown): { readonly customer: Customer; readonly state: State } {
  const body = validBody(json, stateBody);
  return { customer: customerOf(body), state: body.state };
}
