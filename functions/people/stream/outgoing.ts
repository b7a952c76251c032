import type { Email } from '../rules/emails/email.ts';

/** An email as it is sent. */
export interface OutgoingEmail extends Email {
  readonly to: string;
  /** The name of the sender. The address is the deployment's. */
  readonly fromName: string;
  readonly replyTo: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Sends an email. `refused`: it was certainly not sent, and may be sent again. `unknown`: it may have been sent. Throws
 * nothing.
 */
export type SendEmail = (email: OutgoingEmail) => Promise<'sent' | 'refused' | 'unknown'>;
