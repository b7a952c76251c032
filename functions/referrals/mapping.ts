import { MAX_SUB_ID, parseText } from '../domain/fields.ts';
import { type Paging, parsePaging, parseRange } from '../http/list.ts';
import { type QueryEvent, validQuery } from '../http/validation.ts';
import type { ReferralFilters } from '../table/plan.ts';
import type { ListedReferral } from '../table/referral-item.ts';
import { type ListedReferralResource, REFERRALS_QUERY } from './schema.ts';
import { referralsQuery } from './validators.js';

/** Parses the paging and the filters of a query. Throws `InvalidField`. */
export function referralsInput(event: QueryEvent): { paging: Paging; filters: ReferralFilters } {
  const query = validQuery(event, REFERRALS_QUERY, referralsQuery);
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

/** Builds the resource of a referral in the list. */
export function listedReferral(referral: ListedReferral): ListedReferralResource {
  return {
    id: referral.id,
    type: 'referral',
    attributes: {
      email: referral.email,
      state: referral.state,
      state_set_at: referral.stateSetAt,
      created_at: referral.createdAt,
      updated_at: referral.updatedAt,
      sub_id: referral.subId,
      commission_percentage: referral.commissionPercentage,
      commission_end_date: referral.commissionEndDate,
    },
  };
}
