import { needsCustomers, needsPayments } from '../../kernel/accounts/rules/commission-rules.ts';
import { rulesOf } from '../../kernel/accounts/table/commission-rules.ts';
import { customersIn } from '../../kernel/accounts/table/totals.ts';
import { moneyKey, totalsKey } from '../../kernel/dynamodb/keys.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import type { Referral } from '../../referrals/rules/referral.ts';
import { paymentsIn } from '../../referrals/table/money.ts';
import type { RulesSeen } from '../rules/entry.ts';

/**
 * Reads the rules of a referral, once for each process, and the numbers that they ask for, with one request if they ask for
 * any. Returns `null` for a referral without rules, and reads nothing.
 */
export async function readRulesSeen(
  table: Table,
  program: string,
  referral: Pick<Referral, 'id' | 'advocateSlug' | 'commissionRulesId'>,
): Promise<RulesSeen | null> {
  const rules = await rulesOf(table, program, referral);
  if (!rules) return null;
  const [asksForPayments, asksForCustomers] = [needsPayments(rules), needsCustomers(rules)];
  const [money, totals] = await batchGet(table, [
    asksForPayments ? moneyKey(program, referral.id) : undefined,
    asksForCustomers ? totalsKey(program, referral.advocateSlug) : undefined,
  ]);
  return {
    rules,
    earlier: asksForPayments ? paymentsIn(money) : null,
    paying: asksForCustomers ? customersIn(totals) : null,
  };
}
