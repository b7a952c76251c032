import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import * as keys from '../../../functions/kernel/dynamodb/keys.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import type { Past, PastItem } from '../past.ts';
import { commissionProblems, rulesOf } from './commissions.ts';
import type { Check, Evidence } from './evidence.ts';
import { rowOf } from './rows.ts';

const MOST_GROUPS = 50;
/** How long a command may work with the terms that it has read, in milliseconds. */
const COMMAND_AGE = 600_000;

/** Checks groups, rules, the terms of referrals, and what payments earned by them. */
export const ruleProblems: Check = function* (evidence) {
  const { past } = evidence;
  yield* storedProblems(evidence);
  for (const versions of past.matching(/\nREFERRAL$/)) yield* beginningProblems(past, versions);
  yield* commissionProblems(evidence);
};

function* storedProblems({ table, knowledge, past }: Evidence): Iterable<string> {
  const all = past.newest(/\nGROUPS$/);
  const names = all.flatMap((item) =>
    groupsIn(item).map(({ name }) => `${keys.programInKey(String(item['pk']))} ${name}`),
  );
  const lost = [...knowledge.groups].find((name) => !names.includes(name));
  if (lost !== undefined) yield `The acknowledged group ${lost} does not exist`;
  if (new Set(names).size !== names.length) yield 'A group exists twice';
  if (all.some((item) => groupsIn(item).length > MOST_GROUPS)) yield 'A program has too many groups';
  for (const [first, ...others] of past.matching(/#RULES\n/)) {
    if (others.length > 0) yield `The rules ${first?.item?.['sk']} changed`;
  }
  for (const [name, rules] of knowledge.rules) {
    const [program = '', id = ''] = name.split(' ');
    if (!isDeepStrictEqual(rulesOf(table, program, id), rules)) yield `The rules ${name} are not what was acknowledged`;
  }
}

const groupsIn = (item: Item | undefined) => (item?.['groups'] ?? []) as readonly Item[];

/** Referrals that began or moved with terms that the advocate did not have, or whose terms changed later. */
function* beginningProblems(past: Past, versions: readonly PastItem[]): Iterable<string> {
  for (const [index, version] of versions.entries()) {
    // Clicks expire.
    if (!version.item) continue;
    const { program, referral } = rowOf(version.item);
    const { id, advocateSlug: slug, history } = referral;
    const previous = versions[index - 1]?.item;
    const before = previous && rowOf(previous).referral;
    const terms = termsOf(referral);
    if (before?.advocateSlug === slug) {
      if (termsOf(before) !== terms) yield `${id} changed from ${termsOf(before)} to ${terms}`;
      continue;
    }
    const by = history.at(-1)?.by;
    const age = by === 'import' || by === 'operator' ? COMMAND_AGE : past.age;
    const possible = termsBefore(program, slug, (key) => past.before(key, version, age));
    if (!possible.includes(terms)) yield `${id} of ${slug} has ${terms} instead of ${possible.join(' or ')}`;
  }
}

const termsOf = ({ commissionPercentage: rate, commissionRulesId: rules }: Referral) =>
  textOf({ rate: rate ?? undefined, rules: rules ?? undefined });
const textOf = ({ rate, rules }: Item = {}) => `${rate ?? 'no rate'}, ${rules ?? 'no rules'}`;

/** The terms that an advocate may have had, as texts: its own rate, else the terms of its group or of the program. */
function termsBefore(program: string, slug: string, itemsOf: (key: keys.Key) => (Item | undefined)[]): string[] {
  const groups = itemsOf(keys.groupsKey(program)).map(groupsIn);
  const programs = itemsOf(keys.programKey(program));
  return itemsOf(keys.advocateKey(program, slug)).flatMap((advocate) => {
    if (advocate?.['rate'] !== undefined) return [textOf({ rate: advocate['rate'] })];
    const own = groups.map((all) => all.find(({ name }) => name === advocate?.['group']));
    const isSet = (group: Item | undefined) => group?.['rate'] !== undefined || group?.['rules'] !== undefined;
    return own.flatMap((group) => (isSet(group) ? [group] : programs)).map((owner) => textOf(owner));
  });
}
