import { InvalidField } from '../../errors.ts';

/** What a referral earns its advocate: a percentage for some months, or commission rules. Without both, nothing. */
export interface Terms {
  /** In percent; `null` with rules, or if nobody set a rate. */
  readonly commissionPercentage: number | null;
  /** Calendar months from the conversion; `null` without an end. */
  readonly commissionMonths: number | null;
  /** The id of the rules; `null` with a percentage. */
  readonly commissionRulesId: string | null;
}

/** True if a percentage, also of 0, or rules are set. */
export const hasTerms = ({
  commissionPercentage,
  commissionRulesId,
}: Pick<Terms, 'commissionPercentage' | 'commissionRulesId'>): boolean =>
  commissionPercentage !== null || commissionRulesId !== null;

type ShortForm = Partial<Pick<Terms, 'commissionPercentage' | 'commissionMonths'>>;

const isGiven = (value: unknown): boolean => (value ?? null) !== null;
const isShort = ({ commissionPercentage, commissionMonths }: ShortForm): boolean =>
  isGiven(commissionPercentage) || isGiven(commissionMonths);

/** Throws `InvalidField` for a percentage or months together with rules, or with the id of rules. */
export function assertOneForm(short: ShortForm, rules: unknown): void {
  if (!isShort(short) || !isGiven(rules)) return;
  throw new InvalidField(
    'commission_rules',
    'cannot be combined with commission_percentage and commission_months: send one form',
  );
}

/**
 * Returns changes of terms in one form: a percentage or months clear the rules, rules clear both.
 * Throws `InvalidField` for both forms.
 */
export function inOneForm<Changes extends Partial<Terms>>(changes: Changes): Changes & Partial<Terms> {
  assertOneForm(changes, changes.commissionRulesId);
  if (isGiven(changes.commissionRulesId)) return { ...changes, commissionPercentage: null, commissionMonths: null };
  return isShort(changes) ? { ...changes, commissionRulesId: null } : changes;
}
