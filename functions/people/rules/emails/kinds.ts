import { EMAIL_CHOICES, type EmailChoice } from '../../../kernel/accounts/rules/email-choices.ts';

/** Why the service sends an email. */
export const EMAIL_KINDS = ['sign_in', 'paying', 'settled', 'account_changed', 'invited'] as const;
export type EmailKind = (typeof EMAIL_KINDS)[number];

/** True if an advocate, and a merchant for all advocates, can switch the kind off. */
export function isSwitchable(kind: EmailKind): kind is EmailChoice {
  return EMAIL_CHOICES.some((choice) => choice === kind);
}
