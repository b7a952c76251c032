import { putCode } from '../../codes/table/put-code.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { isSlug } from '../../kernel/fields/fields.ts';
import type { EventResult, Ignored, ProviderPromotion } from '../rules/provider-event.ts';

/**
 * Gives an advocate the code of a promotion code at Stripe, and maps Stripe's id to it. Can be repeated. Whether it is
 * active at Stripe does not matter (docs/contract/terms.md, Promotion codes). Throws `Unavailable`.
 */
export async function applyPromotion(
  table: Table,
  program: string,
  { id, code, slug }: ProviderPromotion,
): Promise<EventResult> {
  if (!isSlug(slug)) return { ignored: 'unknown_slug' };
  try {
    const { isChanged } = await putCode(table, program, { code, slug, promotionCodeId: id });
    return isChanged ? { applied: 'code' } : { ignored: 'nothing_to_do' };
  } catch (error) {
    const ignored = error instanceof ServiceError ? ignoredFor(error) : undefined;
    if (!ignored) throw error;
    return { ignored };
  }
}

function ignoredFor({ code }: ServiceError): Ignored | undefined {
  switch (code) {
    case 'invalid_affiliate_slug':
    case 'advocate_erased':
      return 'unknown_slug';
    case 'code_taken':
    case 'promotion_code_taken':
    case 'too_many_codes':
      return code;
    default:
      return undefined;
  }
}
