import { InvalidField } from '../../kernel/errors.ts';

/** Maximum length of an id of the merchant's or of a provider's. */
export const MAX_ENTRY_ID = 255;

/** Checks the id of a payment, a refund, an adjustment or a settlement. Throws `InvalidField`. */
export function parseEntryId(field: string, text: string): string {
  if (!/^[ -~]+$/.test(text) || text.length > MAX_ENTRY_ID) {
    throw new InvalidField(field, `must be 1 to ${MAX_ENTRY_ID} printable ASCII characters`);
  }
  return text;
}
