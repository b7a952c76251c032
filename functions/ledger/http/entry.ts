import { attributesIn, schemasIn } from '../../kernel/fields/field-list.ts';
import { dataOf, resource } from '../../kernel/http/schema.ts';
import { ENTRY_FIELDS, type Entry } from '../rules/entry-fields.ts';
import { MAX_ENTRY_ID } from '../rules/entry-id.ts';

/** The id of a payment, a refund, an adjustment or a settlement in a request. */
export const ENTRY_ID = { type: 'string', minLength: 1, maxLength: MAX_ENTRY_ID, pattern: '^[ -~]*$' } as const;

/** The currency of a request. */
export const CURRENCY = {
  type: 'string',
  pattern: '^[a-z]{3}$',
  description: 'The code of ISO 4217 in lower case.',
  examples: ['usd'],
} as const;

/** The resource of an entry of the ledger. */
export const ENTRY = /* @__PURE__ */ (() => resource('entry', schemasIn(ENTRY_FIELDS, 'api')))();
export const ENTRY_DATA = /* @__PURE__ */ dataOf(ENTRY);

/** Builds the resource of an entry for the merchant. */
export function toEntry(entry: Entry) {
  return { id: entry.id, type: 'entry', attributes: attributesIn(ENTRY_FIELDS, 'api', entry) } as const;
}

/** Builds the resource of an entry for its affiliate, who does not see the merchant's ids of payments. */
export function toAffiliateEntry(entry: Entry) {
  const { attributes, ...resource } = toEntry(entry);
  // The settlement of an imported payment has its id.
  const settlement_id = attributes.settlement_id?.startsWith('import:') ? null : attributes.settlement_id;
  return {
    ...resource,
    attributes: { ...attributes, payment_id: null, refund_id: null, settlement_id, by: null },
  } as const;
}
