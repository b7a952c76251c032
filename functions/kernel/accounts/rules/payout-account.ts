import { InvalidField } from '../../errors.ts';
import { maskedEmail, parseEmail, parseText } from '../../fields/fields.ts';
import { escapeFormula } from '../../fields/formula.ts';
import { parseIban } from '../../fields/iban.ts';
import { oneOf, record } from '../../fields/parsers.ts';
import type { Seconds } from '../../time.ts';

/** How an advocate is paid: an email at PayPal, an IBAN, or another way, which no payment file contains. */
export const PAYOUT_METHODS = ['paypal', 'bank', 'other'] as const;
export type PayoutMethod = (typeof PAYOUT_METHODS)[number];

/** The longest account of any method: an email. */
export const MAX_PAYOUT_ACCOUNT = 254;
/** The longest account of the method `other`. */
const MAX_OTHER = 200;

/** Where an advocate is paid. Both are `null` without an account. */
export interface PayoutAccount {
  readonly payoutMethod: PayoutMethod | null;
  readonly payoutAccount: string | null;
}

/** A payout account, and until when nobody pays to it because the advocate or its address is new. */
export interface PendingPayoutAccount extends PayoutAccount {
  readonly payoutPendingUntil: Seconds | null;
}

/** A payout account, and how often it was changed. */
export interface NumberedPayoutAccount extends PayoutAccount {
  readonly payoutVersion: number;
}

const METHOD = 'payout_method';
const ACCOUNT = 'payout_account';

const PARSERS: Readonly<Record<PayoutMethod, (text: string) => string>> = {
  paypal: (text) => {
    const email = parseEmail(ACCOUNT, text);
    // PayPal's file cannot escape it.
    if (escapeFormula(email) !== email)
      throw new InvalidField(ACCOUNT, 'must not begin like a formula: with =, + or -');
    return email;
  },
  bank: (text) => parseIban(ACCOUNT, text),
  other: (text) => parseText(ACCOUNT, text, MAX_OTHER),
};

/**
 * Checks and normalizes a payout account in the fields of a request, which sets or clears both of its fields: `null` in
 * one clears both. Without them, it returns the fields as they are. Throws `InvalidField`.
 */
export function withPayoutAccount<Fields extends Partial<PayoutAccount>>(fields: Fields): Fields {
  const { payoutMethod: method, payoutAccount: account } = fields;
  if (method === undefined && account === undefined) return fields;
  if (method && account) return { ...fields, payoutAccount: PARSERS[method](account) };
  if (method) throw new InvalidField(ACCOUNT, `is required with ${METHOD}`);
  if (account) throw new InvalidField(METHOD, `is required with ${ACCOUNT}`);
  return { ...fields, payoutMethod: null, payoutAccount: null };
}

/** Returns the payout account of an advocate as a token may see it: none without the scope `payouts`. */
export function visibleAccount(
  { scopes }: { readonly scopes: readonly string[] },
  { payoutMethod, payoutAccount, payoutPendingUntil }: PendingPayoutAccount,
): PendingPayoutAccount {
  return scopes.includes('payouts')
    ? { payoutMethod, payoutAccount, payoutPendingUntil }
    : { payoutMethod: null, payoutAccount: null, payoutPendingUntil: null };
}

/** True while nobody pays to an account. */
export const isPending = ({ payoutPendingUntil }: PendingPayoutAccount, now: Seconds): boolean =>
  (payoutPendingUntil ?? 0) > now;

/** Parses a payout account in an item, which may be none; `undefined` for anything else. Images of the stream lack `null`. */
export function storedAccount(value: unknown): PayoutAccount | undefined {
  const { payoutMethod, payoutAccount } = record(value) ?? {};
  const method = oneOf<PayoutMethod | null>([...PAYOUT_METHODS, null])(payoutMethod ?? null);
  const account = payoutAccount ?? null;
  if (method === undefined || !(typeof account === 'string' || account === null)) return undefined;
  return { payoutMethod: method, payoutAccount: account };
}

/** The number of an advocate's payout account; `null` without an account. */
export function payoutVersionOf({ payoutAccount, payoutVersion }: NumberedPayoutAccount): number | null {
  return payoutAccount === null ? null : payoutVersion;
}

/** Returns the number of the account after a change of an advocate: one more if method or account changed. */
export function nextPayoutVersion(before: NumberedPayoutAccount, after: PayoutAccount): number {
  const isSame = before.payoutMethod === after.payoutMethod && before.payoutAccount === after.payoutAccount;
  return isSame ? before.payoutVersion : before.payoutVersion + 1;
}

/** Returns a payout account as its advocate sees it: enough to recognize it, not enough to use it. */
export function maskedAccount({ payoutMethod, payoutAccount }: PayoutAccount): string | null {
  if (payoutAccount === null) return null;
  switch (payoutMethod) {
    case 'paypal':
      return maskedEmail(payoutAccount);
    case 'bank':
      return `${payoutAccount.slice(0, 2)}** **** ${payoutAccount.slice(-4)}`;
    default:
      return '***';
  }
}
