import type { CallerOf } from '../../kernel/accounts/rules/caller.ts';
import { programIdOf } from '../../kernel/accounts/rules/program.ts';
import { type ErrorCode, InvalidAffiliate, InvalidCode, ReferralExists } from '../../kernel/errors.ts';
import type { Refused } from '../../kernel/http/route-handler.ts';
import type { RecordMetrics } from '../../kernel/log/metrics.ts';
import type { RefusedRequest } from '../../referrals/rules/refusal.ts';

type Refuse<Caller, Table> = (refused: Refused<Caller, Table>) => Promise<void>;

/** What is read of a refused conversion, and whether it refers to an advocate. */
export interface ReadConversion extends Pick<RefusedRequest, 'identifiers' | 'advocate'> {
  readonly hasReference: boolean;
}

/** Records what a merchant should notice: its form or its links do not work. */
export interface Refusals<Table> {
  /** Returns a function that records that a conversion was refused. `read` reads the body as far as it is valid. */
  readonly conversion: (read: (json: unknown) => ReadConversion) => Refuse<CallerOf<'program' | 'page'>, Table>;
  /**
   * Returns a function that records what is hidden from a page: that its customer is known, and with a promotion code whom
   * it credits. It throws other errors.
   */
  readonly hidden: (program: string, hasCode: boolean) => (error: unknown) => void;
  /** Returns a function that records an unknown slug of a known program, but not for a bot, and throws the error. */
  readonly click: (publicKey: string, isBot: boolean) => (error: unknown) => never;
}

/** Where refusals are recorded: as metrics of the program, and beside the identifiers of its customers. */
interface Records<Table> {
  readonly metrics: RecordMetrics;
  readonly refusal: (table: Table, program: string, request: RefusedRequest) => Promise<void>;
}

/** Returns the recorder of refusals. Slugs of deactivated advocates count as unknown, because nothing reveals them. */
export function refusalsTo<Table>({ metrics, refusal }: Records<Table>): Refusals<Table> {
  const count = (program: string, reason: ErrorCode) => {
    const isUnknownSlug = reason === 'invalid_affiliate_slug';
    metrics(program, { RefusedConversions: 1, ...(isUnknownSlug && { UnknownSlugs: 1 }) }, { reason });
  };
  return {
    conversion:
      (read) =>
      async ({ caller: { kind, program }, error, json, table }) => {
        count(program.id, error.code);
        // Anyone has a public key.
        if (kind === 'page') return;
        const { hasReference, ...conversion } = read(json);
        const outcome = outcomeOf(error.code, hasReference);
        if (outcome) await refusal(table, program.id, { ...conversion, outcome, source: 'merchant', eventId: null });
      },
    hidden: (program, hasCode) => (error) => {
      const isOfCode = error instanceof InvalidCode || error instanceof InvalidAffiliate;
      if (!(error instanceof ReferralExists || (hasCode && isOfCode))) throw error;
      count(program, error.code);
    },
    click: (publicKey, isBot) => (error) => {
      const program = programIdOf(publicKey);
      if (!isBot && program !== undefined && error instanceof InvalidAffiliate) metrics(program, { UnknownSlugs: 1 });
      throw error;
    },
  };
}

/** Why a refused conversion credited nobody; `undefined` if it says nothing about the customer. */
function outcomeOf(code: ErrorCode, hasReference: boolean): RefusedRequest['outcome'] | undefined {
  if (code === 'invalid_affiliate_slug') return 'no_advocate';
  if (code === 'invalid_code') return 'code_unknown';
  if (code !== 'invalid_field') return undefined;
  return hasReference ? 'refused_field' : 'no_reference';
}
