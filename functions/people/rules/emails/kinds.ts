import { EMAIL_CHOICES, type EmailChoice } from '../../../kernel/accounts/rules/email-choices.ts';

/** Why the service sends an email. */
export const EMAIL_KINDS = [
  'confirm',
  'sign_in',
  'approved',
  'rejected',
  'paying',
  'settled',
  'account_changed',
  'invited',
  'waiting',
] as const;
export type EmailKind = (typeof EMAIL_KINDS)[number];

/** The kinds that a merchant can switch off for everybody. */
export const MERCHANT_CHOICES = [...EMAIL_CHOICES, 'waiting'] as const;
export type MerchantChoice = (typeof MERCHANT_CHOICES)[number];

/** True if an advocate, and a merchant for all advocates, can switch the kind off. */
export function isSwitchable(kind: EmailKind): kind is EmailChoice {
  return EMAIL_CHOICES.some((choice) => choice === kind);
}
