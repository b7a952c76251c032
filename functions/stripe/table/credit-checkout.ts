import type { Program } from '../../kernel/accounts/rules/program.ts';
import { parseAttributionTarget } from '../../kernel/accounts/table/advocate-items.ts';
import { type PromotionClaim, parseCodeItem } from '../../kernel/accounts/table/codes.ts';
import type { Item } from '../../kernel/dynamodb/item.ts';
import { advocateKey, codeKey } from '../../kernel/dynamodb/keys.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import { codeReference, creditFirst, inOrder, type Reference } from '../../referrals/rules/credit.ts';

/** What the references of a checkout lead to. */
interface Found {
  /** The advocate in the `gr_id`. */
  readonly advocate: Item | undefined;
  readonly promotions: readonly PromotionClaim[];
}

/**
 * Decides who is credited for a checkout: the advocate of the `gr_id` or of a promotion code, as the program chose. Reads
 * codes and their advocates with one request. `undefined` if no reference leads to an active advocate.
 */
export async function creditCheckout(table: Table, program: Program, { advocate, promotions: claims }: Found) {
  const link: Reference = { by: 'link', code: null, target: advocate && parseAttributionTarget(advocate) };
  // Several promotion codes of Stripe may belong to one code.
  const promotions = [...new Map(claims.map((claim) => [claim.code, claim])).values()];
  const slugs = [...new Set(promotions.map(({ advocateSlug }) => advocateSlug))];
  const items = await batchGet(table, [
    ...promotions.map(({ code }) => codeKey(program.id, code)),
    ...slugs.map((slug) => advocateKey(program.id, slug)),
  ]);
  const targets = items.slice(promotions.length).flatMap((item) => (item ? [parseAttributionTarget(item)] : []));
  const codes = promotions.map(({ advocateSlug }, index) => {
    const item = items[index];
    const target = targets.find(({ slug }) => slug === advocateSlug);
    return codeReference(item && parseCodeItem(item), target);
  });
  return creditFirst(inOrder(program, [link], codes));
}
