import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import { isPending, payoutVersionOf } from '../../kernel/accounts/rules/payout-account.ts';
import { InvalidField } from '../../kernel/errors.ts';
import { SEGMENT_PATTERN, SLUG_PATTERN } from '../../kernel/fields/fields.ts';
import type { Seconds } from '../../kernel/time.ts';
import type { Entry } from './entry-fields.ts';

const MAX_RUN = 100;
/** The name of a run, which ids of settlements and the path of its file contain. */
const RUN = new RegExp(SEGMENT_PATTERN);

/** The settlements of a run in one currency. */
export interface RunReference {
  readonly name: string;
  readonly currency: string;
}

/** A payout run: its settlements have ids that contain its name, the currency and the advocate's slug. */
export interface PayoutRun extends RunReference {
  /** The least amount that is paid. */
  readonly minimum: number;
}

/** Checks the name of a run. Throws `InvalidField`. */
export function parseRunName(field: string, text: string): string {
  if (!RUN.test(text)) throw new InvalidField(field, `must be 1 to ${MAX_RUN} printable ASCII characters without /`);
  return text;
}

/** The start of the ids of a run's settlements, which identifies the run. */
export const runIdOf = ({ name, currency }: RunReference): string => `${name}:${currency}`;

/** The id of what a run settles of an advocate. */
export const settlementIdOf = (run: RunReference, slug: string): string => `${runIdOf(run)}:${slug}`;

const SETTLEMENT_ID = /* @__PURE__ */ new RegExp(`^(.{1,${MAX_RUN}}):([a-z]{3}):(${SLUG_PATTERN})$`);

/** The run whose id a settlement has; `undefined` for others. An id of the merchant's may look the same. */
export function runOf({ settlementId, currency, advocateSlug }: Entry): RunReference | undefined {
  const [, name, code, slug] = SETTLEMENT_ID.exec(settlementId ?? '') ?? [];
  return name !== undefined && code === currency && slug === advocateSlug ? { name, currency } : undefined;
}

/** A run as the list shows it: the part of it that a page has looked at. */
export interface RunSummary extends RunReference {
  readonly settlements: number;
  readonly amount: bigint;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Adds up settlements by run, in the order in which the runs first appear. Settlements of no run are left out. */
export function summarizeRuns(settlements: readonly Entry[]): RunSummary[] {
  const runs = new Map<string, RunSummary>();
  for (const entry of settlements) {
    const run = runOf(entry);
    if (!run) continue;
    const { createdAt } = entry;
    const before = runs.get(runIdOf(run)) ?? {
      ...run,
      settlements: 0,
      amount: 0n,
      firstAt: createdAt,
      lastAt: createdAt,
    };
    runs.set(runIdOf(run), {
      ...run,
      settlements: before.settlements + 1,
      amount: before.amount - BigInt(entry.commission),
      firstAt: Math.min(before.firstAt, createdAt),
      lastAt: Math.max(before.lastAt, createdAt),
    });
  }
  return [...runs.values()];
}

export type PaidAdvocate = Pick<
  Advocate,
  | 'slug'
  | 'email'
  | 'firstName'
  | 'lastName'
  | 'company'
  | 'payoutMethod'
  | 'payoutAccount'
  | 'payoutPendingUntil'
  | 'payoutVersion'
>;

/** What an advocate is paid by a run. */
export interface Payout {
  /** The advocate as it is now. */
  readonly advocate: PaidAdvocate;
  readonly amount: number;
  /** The id of the settlement. */
  readonly id: string;
  /** The number of the payout account that the advocate had when it was settled; `null` without an account. */
  readonly payoutVersion: number | null;
}

/** Why a run pays an advocate nothing. */
export const NOT_PAID = ['nothing_payable', 'below_minimum', 'payout_pending'] as const;
export type NotPaid = (typeof NOT_PAID)[number];

/** The formats of a run's file: for finance, for PayPal, for a bank. */
export const PAYOUT_FORMATS = ['csv', 'paypal', 'sepa'] as const;
export type PayoutFormat = (typeof PAYOUT_FORMATS)[number];

/** What the formats for payments need of a payout account, and why a settlement is in no such file. */
export const NO_PAYMENT = [
  'no_account',
  'payout_pending',
  'account_changed',
  'other_method',
  'unsupported_amount',
] as const;
export type NoPayment = (typeof NO_PAYMENT)[number];

/** Why no file may pay a settlement to the account that the advocate has now; `undefined` if one may. */
export function accountProblem({ advocate, payoutVersion }: Payout, now: Seconds): NoPayment | undefined {
  if (advocate.payoutAccount === null) return 'no_account';
  if (isPending(advocate, now)) return 'payout_pending';
  if (payoutVersion !== payoutVersionOf(advocate)) return 'account_changed';
  return advocate.payoutMethod === 'other' ? 'other_method' : undefined;
}
