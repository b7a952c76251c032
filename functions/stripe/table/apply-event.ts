import type { ReadTerms } from '../../kernel/accounts/rules/advocate-terms.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import { readTerms } from '../../kernel/accounts/table/terms.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import type { ProviderReport } from '../../ledger/rules/provider-reports.ts';
import type { RecordRefusal } from '../../referrals/table/refusals.ts';
import { parseStripeEvent } from '../rules/parse-event.ts';
import type { EventResult, Ignored } from '../rules/provider-event.ts';
import { refusedEvent } from '../rules/refused-event.ts';
import { applyPromotion } from './apply-promotion.ts';
import { recordReport } from './apply-to-payment.ts';
import { applyProviderEvent } from './apply-to-referral.ts';

/** Applies an event of Stripe, and records an event that credited nobody. Throws `Unavailable`. */
export async function receiveStripeEvent(
  table: Table,
  program: Program,
  event: unknown,
  { recordRefusal, termsOf }: { readonly recordRefusal: RecordRefusal; readonly termsOf: ReadTerms<Table> },
): Promise<EventResult> {
  const result = await applyStripeEvent(table, program, event, termsOf);
  const refused = refusedEvent(event, result);
  if (refused) await recordRefusal(table, program.id, refused);
  return result;
}

/**
 * Applies an event of Stripe, from the webhook or from EventBridge: first to the referral of its customer, then to the
 * payment of its payment intent. Both can be repeated. Throws `Unavailable`.
 */
export async function applyStripeEvent(
  table: Table,
  program: Program,
  event: unknown,
  termsOf: ReadTerms<Table> = readTerms,
): Promise<EventResult> {
  const parsed = parseStripeEvent(event, program);
  if (typeof parsed === 'string') return { ignored: parsed };
  const { customer, report, promotion } = parsed;
  if (promotion) return applyPromotion(table, program.id, promotion);
  const result: EventResult =
    typeof customer === 'string' ? { ignored: customer } : await applyProviderEvent(table, program, customer, termsOf);
  if (!report) return result;
  const ledger = await recordReport(table, { program: program.id, by: 'stripe' }, report);
  const reported = answerOf(result, report, ledger);
  const entry = result.entry ?? ledger.entry;
  return entry === undefined ? reported : { ...reported, entry };
}

/** Codes that say nothing about a refund or a dispute, because these need no customer. */
const ABOUT_CUSTOMERS: readonly Ignored[] = ['nothing_to_do', 'no_identity', 'unknown_customer', 'mismatched_customer'];

/** Which of two results is returned: the state's, unless it says nothing about a refund, a dispute or a link. */
function answerOf(state: EventResult, { fact }: ProviderReport, ledger: EventResult): EventResult {
  if ('applied' in state || !ABOUT_CUSTOMERS.includes(state.ignored)) return state;
  return fact || state.ignored === 'nothing_to_do' ? ledger : state;
}
