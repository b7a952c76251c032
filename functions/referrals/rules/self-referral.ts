import type { AttributionTarget } from '../../kernel/accounts/rules/advocate.ts';

/** The flags of a referral. The merchant decides what they mean for a commission: they never change a state. */
export const FLAGS = ['self_referral'] as const;
export type Flag = (typeof FLAGS)[number];

/** Domains of one mail provider that ignores dots in the local part. */
const DOTLESS_DOMAIN = /^(?:gmail|googlemail)\.com$/;

/**
 * Returns the flags of a customer whom an advocate refers: `self_referral` if both have the same mailbox or the same
 * uid (docs/contract/tracking.md, Self-referrals).
 */
export function flagsOf(
  { email, uid }: { readonly email: string | null; readonly uid: string | null },
  target: AttributionTarget,
): readonly Flag[] {
  const hasSameEmail = email !== null && target.email !== null && mailboxOf(email) === mailboxOf(target.email);
  return hasSameEmail || (uid !== null && uid === target.uid) ? ['self_referral'] : [];
}

/** Removes the plus-tag of a normalized email, and for Gmail the dots, so that addresses of one mailbox are equal. */
function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  // A local part that starts with "+" has no name before the tag.
  const local = email.slice(0, at).replace(/(?<=.)\+.*$/, '');
  return DOTLESS_DOMAIN.test(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`;
}
