import type { Advocate } from '../../../functions/domain/advocate.ts';
import { namesSet } from '../../../functions/domain/field-list.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { HistoryEntry } from '../../../functions/domain/referral/history.ts';
import type { Referral } from '../../../functions/domain/referral/referral.ts';
import { REFERRAL_FIELDS } from '../../../functions/domain/referral/referral-fields.ts';
import { type FieldsOf, toHistoryEntry, toMerchantReferral } from '../../../functions/http/referral.ts';
import { advocateFieldsIn } from '../advocate/fields.ts';
import { type Rendered, renderList, renderObject } from '../output.ts';

/** Renders a referral: its id, and its attributes in the API as the merchant sees them. */
export function merchantFields(referral: FieldsOf<'merchant'>) {
  const { id, attributes } = toMerchantReferral(referral);
  return { id, ...attributes };
}

/** Renders a referral with its advocate and its history. */
export function referralDetails(program: Program, referral: Referral, found: Advocate | undefined): Rendered {
  const fields = merchantFields(referral);
  const advocate = found ? advocateFieldsIn(program)(found) : null;
  const more = {
    advocate_email: advocate?.email ?? null,
    advocate_name: [advocate?.first_name, advocate?.last_name].filter(Boolean).join(' ') || null,
  };
  const history = renderList(referral.history.map(historyRow), ['change', 'set_at', 'by'], '');
  return {
    json: { ...fields, advocate, history: referral.history.map(toHistoryEntry) },
    text: (width) => `${renderObject(fields, more).text(width)}\n${history.text(width)}`,
  };
}

/** Renders an entry of the history for people. */
function historyRow(entry: HistoryEntry) {
  const { setAt: set_at, by } = entry;
  switch (entry.type) {
    case 'state':
      return { change: entry.state, set_at, by };
    case 'reassignment':
      return { change: `moved from ${entry.from} to ${entry.to}`, set_at, by };
    case 'erasure':
      return { change: 'erased', set_at, by };
  }
}

/** Renders the names of the erased fields without their values. */
export function erasedFields(referral: Referral): Rendered {
  const { id, state } = referral;
  const erased = namesSet(REFERRAL_FIELDS, 'personal', referral);
  // The idempotency record is internal: people see only the customer's fields.
  const { text } = renderObject({ id, state, erased: erased.filter((name) => name !== 'idempotency_record') });
  return { json: { id, state, erased }, text };
}
