import { programIdOf } from '../../kernel/accounts/rules/program.ts';
import { type ErrorCode, InvalidAffiliate, ReferralExists } from '../../kernel/errors.ts';
import type { RecordMetrics } from '../../kernel/log/metrics.ts';

/** Records what a merchant should notice: its form or its links do not work. */
export interface Refusals {
  /** A conversion of a program was refused. */
  readonly conversion: (program: string, reason: ErrorCode) => void;
  /** Returns a function that records that a page's customer is known, which is hidden from the page. It throws other errors. */
  readonly hidden: (program: string) => (error: unknown) => void;
  /** Returns a function that records an unknown slug of a known program, but not for a bot, and throws the error. */
  readonly click: (publicKey: string, isBot: boolean) => (error: unknown) => never;
}

/** Returns the recorder of refusals. Slugs of deactivated advocates count as unknown, because nothing reveals them. */
export function refusalsTo(record: RecordMetrics): Refusals {
  const conversion = (program: string, reason: ErrorCode) => {
    const isUnknownSlug = reason === 'invalid_affiliate_slug';
    record(program, { RefusedConversions: 1, ...(isUnknownSlug && { UnknownSlugs: 1 }) }, { reason });
  };
  return {
    conversion,
    hidden: (program) => (error) => {
      if (!(error instanceof ReferralExists)) throw error;
      conversion(program, error.code);
    },
    click: (publicKey, isBot) => (error) => {
      const program = programIdOf(publicKey);
      if (!isBot && program !== undefined && error instanceof InvalidAffiliate) record(program, { UnknownSlugs: 1 });
      throw error;
    },
  };
}
