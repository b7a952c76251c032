import { parseSlug } from '../../../kernel/fields/fields.ts';
import { parseCurrency } from '../../../kernel/fields/money.ts';
import { validBody } from '../../../kernel/http/validation.ts';
import { type PayoutRun, parseRunName, type RunReference, runIdOf } from '../../rules/payout-run.ts';
import type { PaidPlan } from '../../table/payout-runs.ts';
import { payoutRunBody } from './validators.js';

/** Parses a payout run and the advocates that it pays, each once. Throws `InvalidField`. */
export function parsePayoutRun(json: unknown): { readonly run: PayoutRun; readonly slugs: readonly string[] } {
  const { run, currency, slugs, minimum } = validBody(json, payoutRunBody);
  return {
    run: {
      name: parseRunName('run', run),
      currency: parseCurrency('currency', currency),
      minimum: minimum ?? 1,
    },
    slugs: [...new Set(slugs.map((slug) => parseSlug('slugs', slug)))],
  };
}

/** Builds the resource of what a run paid to some advocates. */
export function toPayouts(run: RunReference, plans: readonly PaidPlan[]) {
  const settled = plans.flatMap(({ slug, plan }) => {
    if (!('payout' in plan)) return [];
    const { id, amount } = plan.payout;
    return [{ affiliate_slug: slug, settlement_id: id, amount, was_settled: plan.isSettled }];
  });
  const left_out = plans.flatMap(({ slug, plan }) =>
    'notPaid' in plan ? [{ affiliate_slug: slug, reason: plan.notPaid }] : [],
  );
  const { name, currency } = run;
  return { id: runIdOf(run), type: 'payouts', attributes: { run: name, currency, settled, left_out } } as const;
}
