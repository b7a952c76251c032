import { MAX_SUB_ID, parseText } from '../domain/fields.ts';
import type { HttpEvent } from '../http/context.ts';
import { type Paging, parsePaging, parseRange } from '../http/list.ts';
import { readQuery } from '../http/query.ts';
import { valid } from '../http/validation.ts';
import type { ReferralFilters } from '../table/plan.ts';
import { REFERRALS_QUERY } from './schema.ts';
import { referralsQuery } from './validators.js';

/** Reads paging and filters of the query. Throws `InvalidField`. */
export function referralsInput(event: HttpEvent): { paging: Paging; filters: ReferralFilters } {
  const query = valid(readQuery(event, REFERRALS_QUERY), referralsQuery);
  const { state_eq: state, sub_id_eq: subId } = query;
  return {
    paging: parsePaging(query),
    filters: {
      state,
      subId: subId === undefined ? undefined : parseText('sub_id_eq', subId, MAX_SUB_ID),
      createdAt: parseRange('created_at', query.created_at_gt, query.created_at_lt),
      stateSetAt: parseRange('state_set_at', query.state_set_at_gt, query.state_set_at_lt),
    },
  };
}
