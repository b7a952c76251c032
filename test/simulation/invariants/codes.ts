import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import * as keys from '../../../functions/kernel/dynamodb/keys.ts';
import type { FakeTable } from '../fake/table.ts';
import type { Past, PastItem } from '../past.ts';
import type { Check } from './evidence.ts';
import { rowOf } from './rows.ts';

/** Checks the owners of codes, the claims of Stripe's promotion codes, and whom a code credited. */
export const codeProblems: Check = function* ({ table, past, knowledge }) {
  for (const versions of past.matching(/#CODES\n(?:CODE|PROMOTION)#/)) {
    const owners = new Set(versions.map(({ item }) => `${item?.['code']} of ${item?.['affiliate_slug']}`));
    if (owners.size > 1) yield `A code or a promotion code belonged to ${[...owners].join(' and ')}`;
  }
  const codes = past.newest(/#CODES\nCODE#/);
  yield* claimProblems(table, codes);
  for (const [program, { length }] of Map.groupBy(codes, ({ pk }) => keys.programInKey(String(pk)))) {
    const counted = table.get({ ...keys.codeCountKey(program) })?.['codes'];
    if (counted !== length) yield `${length} codes are counted as ${counted}`;
  }
  for (const [name, slug] of knowledge.codes) {
    const [program = '', code = ''] = name.split(' ');
    const owner = table.get({ ...keys.codeKey(program, code) })?.['affiliate_slug'];
    if (owner !== slug) yield `The code ${code} belongs to ${owner}, but ${slug} was acknowledged`;
  }
  for (const versions of past.matching(/\nREFERRAL$/)) yield* creditProblems(past, versions);
};

function* claimProblems(table: FakeTable, codes: readonly Item[]): Iterable<string> {
  const known = new Set<string>();
  for (const { pk, code, promotion_code_id: id } of codes) {
    if (id === undefined) continue;
    const program = keys.programInKey(String(pk));
    const claim = table.get({ ...keys.promotionKey(program, String(id)) });
    if (known.has(`${program} ${id}`)) yield `Several codes have the promotion code ${id}`;
    if (claim?.['code'] !== code) yield `The promotion code ${id} of ${code} leads to ${claim?.['code']}`;
    known.add(`${program} ${id}`);
  }
}

/** A referral that a code credited to an advocate who did not have this code, or not an active one. */
function* creditProblems(past: Past, versions: readonly PastItem[]): Iterable<string> {
  const conversion = versions.find(({ item }) => item?.['code'] !== undefined);
  if (!conversion?.item) return;
  const { program, referral } = rowOf(conversion.item);
  const codes = past.before(keys.codeKey(program, referral.code ?? ''), conversion);
  const isOwner = codes.some((code) => code?.['affiliate_slug'] === referral.advocateSlug && code['active'] === true);
  if (!isOwner) yield `${referral.id} of ${referral.advocateSlug} was credited by ${referral.code}`;
}
