import type { Advocate } from '../../functions/domain/advocate.ts';
import type { Program } from '../../functions/domain/program.ts';
import type { Referral } from '../../functions/domain/referral.ts';
import type { ExportedReferral } from '../../functions/table/operator/referral-export.ts';
import { advocateFieldsIn } from './advocate-fields.ts';
import { type Answer, many, one } from './output.ts';

/** What is told of a referral: its attributes as in the API, and what only the operator sees. */
export function referralFields(referral: ExportedReferral) {
  return {
    id: referral.id,
    advocate_slug: referral.advocateSlug,
    email: referral.email,
    uid: referral.customerUid,
    state: referral.state,
    state_set_at: referral.stateSetAt,
    created_at: referral.createdAt,
    updated_at: referral.updatedAt,
    sub_id: referral.subId,
    commission_percentage: referral.commissionPercentage,
    commission_end_date: referral.commissionEndDate,
  };
}

/** Answers a referral with its advocate and the history of its states. */
export function referralDetails(program: Program, referral: Referral, found: Advocate | undefined): Answer {
  const facts = referralFields(referral);
  const advocate = found ? advocateFieldsIn(program)(found) : null;
  const history = referral.history.map(({ state, setAt, by }) => ({ state, set_at: setAt, by }));
  const people = {
    advocate_email: advocate?.email ?? null,
    advocate_name: [advocate?.first_name, advocate?.last_name].filter(Boolean).join(' ') || null,
  };
  return {
    json: { ...facts, advocate, history },
    text: `${one(facts, people).text}\n${many(history, ['state', 'set_at', 'by'], '').text}`,
  };
}
