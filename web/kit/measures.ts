import { decimalsOf } from '../../functions/ledger/rules/units.ts';
import type { Schemas } from './api.ts';
import type { Days } from './days.ts';

/** A number of the statistics. `earned` is the money of an advocate, with bonuses and corrections. */
export type Measure = 'revenue' | 'commissions' | 'earned' | 'clicks' | 'signUps' | 'paying';

/** One day of the statistics. */
export type Group = Schemas['Statistics']['attributes']['groups'][number];

export const isMoney = (measure: Measure): boolean =>
  measure === 'revenue' || measure === 'commissions' || measure === 'earned';

/** Returns a number of a day; money in the smallest unit of its currency. */
export function numberOf(measure: Measure, { clicks, conversions, paying, money }: Group, currency: string): number {
  const { revenue = 0, commissions = 0, adjustments = 0 } = money.find((each) => each.currency === currency) ?? {};
  const earned = commissions + adjustments;
  return { revenue, commissions, earned, clicks, signUps: conversions, paying }[measure];
}

export const groupsIn = (groups: readonly Group[], { from, to }: Days): readonly Group[] =>
  groups.filter(({ key }) => key >= from && key <= to);

export const sumOf = (measure: Measure, groups: readonly Group[], currency: string): number =>
  groups.reduce((sum, group) => sum + numberOf(measure, group, currency), 0);

/** The currencies of some days, the largest revenue first. Amounts are compared in units, never added. */
export function currenciesOf(groups: readonly Group[]): readonly string[] {
  const codes = new Set(groups.flatMap(({ money }) => money.map(({ currency }) => currency)));
  const units = (currency: string) => sumOf('revenue', groups, currency) / 10 ** decimalsOf(currency);
  return [...codes].sort((a, b) => units(b) - units(a) || (a < b ? -1 : 1));
}

/** A change: a share, or the earlier value if a share would mislead. */
export type Change = { readonly share: number } | { readonly was: number };

/** The smallest earlier count of which a percentage says something, and the largest percentage. */
const FEWEST = 10;
const MOST = 9.99;

/** Compares two values. Nothing is said in percent of few, of no money, or beyond 999%. */
export function changeOf(now: number, was: number, isAmount: boolean): Change {
  const share = Math.round(((now - was) / was) * 100) / 100;
  const isSound = isAmount ? was > 0 : was >= FEWEST;
  return isSound && Math.abs(share) <= MOST ? { share } : { was };
}
