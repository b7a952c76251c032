import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { readPage } from '../../../functions/kernel/dynamodb/page.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import type { Actor } from '../../../functions/referrals/rules/state.ts';
import { planReferrals, type ReferralFilters } from '../../../functions/referrals/table/advocate-referrals.ts';
import { type ListedReferral, parseListedReferral } from '../../../functions/referrals/table/referral-item.ts';
import type { Attribution } from '../../../functions/tracking/rules/conversion.ts';
import { type ConversionResult, trackConversion } from '../../../functions/tracking/table/conversions.ts';
import { reported } from '../conversion.ts';
import { newId } from '../program.ts';

/** The input of a conversion in tests. `track` fills in defaults for omitted fields. */
export interface ConversionInput {
  readonly by: Attribution;
  readonly email?: string | null;
  readonly uid?: string | null;
  readonly subId?: string | null;
  /** `Idempotency-Key`. */
  readonly key?: string | undefined;
  readonly route?: string;
  /** The actor that reports the conversion. */
  readonly reporter?: Actor;
  readonly newId?: string;
}

/** Tracks a conversion at the current time of the table's clock. The default customer has a unique email. */
export function track(table: Table, program: Program, input: ConversionInput): Promise<ConversionResult> {
  const {
    by,
    email = anEmail(),
    uid = null,
    subId = null,
    key,
    route = 'POST /v1/tracking/conversion',
    reporter = 'merchant',
  } = input;
  const request = {
    program,
    conversion: { attribution: by, reported: reported({ email, customerUid: uid, subId }) },
    actor: reporter,
    idempotent: key === undefined ? undefined : { key, route },
    newId: input.newId ?? newId(),
  };
  return trackConversion(table, request);
}

/** Returns a unique email address. */
export const anEmail = () => `${newId()}@shop.example`;

export const NO_FILTERS: ReferralFilters = {
  state: undefined,
  subId: undefined,
  createdAt: undefined,
  stateSetAt: undefined,
};

/** Returns the first page of an advocate's list. */
export async function listed(
  table: Table,
  program: Program,
  slug: string,
  filters: Partial<ReferralFilters> = {},
): Promise<ListedReferral[]> {
  const plan = planReferrals(program.id, slug, { ...NO_FILTERS, ...filters });
  return (await readPage(table, plan, { skip: 0 }, 50)).items.map(parseListedReferral);
}
