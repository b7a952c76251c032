import { InvalidField } from '../errors.ts';

/** Country, two check digits, and the account at a bank: 15 to 34 characters (ISO 13616). */
const FORM = /^[A-Z]{2}(?:0[2-9]|[1-8]\d|9[0-8])[A-Z0-9]{11,30}$/;

/**
 * Parses an IBAN to the form that is stored: in upper case, without spaces. Throws `InvalidField` unless its check digits
 * are right. The length that each country has is not checked, because countries join and change theirs.
 */
export function parseIban(field: string, text: string): string {
  // Checked before it is in upper case, because the upper case of other letters may be ASCII.
  const iban = /^[A-Za-z0-9 ]{15,64}$/.test(text) ? text.replaceAll(' ', '').toUpperCase() : '';
  if (!FORM.test(iban) || remainderOf(iban) !== 1n) {
    throw new InvalidField(field, 'must be a valid IBAN: check its digits');
  }
  return iban;
}

/** The remainder by 97 of the number that an IBAN stands for: its start moves to the end, and letters are 10 to 35. */
function remainderOf(iban: string): bigint {
  const moved = iban.slice(4) + iban.slice(0, 4);
  return BigInt([...moved].map((character) => Number.parseInt(character, 36)).join('')) % 97n;
}
