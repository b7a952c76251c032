import type { ComponentChildren } from 'preact';
import { Facts } from '../kit/facts.tsx';
import { formatPercentage } from '../kit/format.ts';
import { readyOf, useLoaded } from '../kit/loaded.ts';
import * as WORDS from '../words/portal/account.ts';
import { type Affiliate, readRules } from './service.ts';

/** What the advocate earns as a sentence; `null` if no commission was set, and `undefined` until it is known. */
export function useCommission(about: Affiliate | undefined): string | null | undefined {
  const id = about?.commission_rules_id ?? null;
  const [rules] = useLoaded((signal) => readRules(id, signal), [id]);
  if (!about) return undefined;
  if (id !== null) return readyOf(rules)?.value ?? undefined;
  const { commission_percentage: rate, commission_months: months } = about;
  return rate === null ? null : WORDS.rate(formatPercentage(rate), months);
}

/** Facts, each with its name. Without a text, a fact is left out. */
export const Terms = ({ terms }: { readonly terms: readonly (readonly [string, ComponentChildren])[] }) => (
  <Facts kind="answers" facts={terms.filter(([, text]) => text)} />
);
