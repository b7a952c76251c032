import { parseCommissionRules } from '../../../functions/kernel/accounts/rules/commission-rules.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { CUSTOMERS } from '../../../functions/kernel/accounts/table/totals.ts';
import type { Key } from '../../../functions/kernel/dynamodb/keys.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import { recordVoid } from '../../../functions/ledger/table/payments.ts';
import { updateProgram } from '../../../functions/program/table/program-changes.ts';
import type { FakeTable } from '../../simulation/fake/table.ts';
import { expectedCommission } from '../ledger/money-oracle.ts';
import { expectedDecision, type OraclePayment, type OracleRule } from '../ledger/rules-oracle.ts';
import { CURRENCIES, type GeneratedDelivery } from './generated-payments.ts';
import type { Decide, LedgerOracle } from './ledger-oracle.ts';

/** The rate of advocates without rules. */
export const RATE = 33.333333;
const PERCENTAGES = [0, 0.000001, 5, RATE, 100];
/** The numbers of paying customers that rules ask for. */
const PAYING = 20;

/** A list of 1 to 4 rules with any parts, or `null` for one advocate in five. `payments` follow. */
function generatedRules(payments: number, below: (limit: number) => number): readonly OracleRule[] | null {
  const sometimes = (part: OracleRule): OracleRule => (below(3) === 0 ? part : {});
  const rule = (): OracleRule => {
    // Half of the payments are of at most 50.
    const amounts = () => Object.fromEntries(CURRENCIES.slice(below(3)).map((currency) => [currency, 1 + below(100)]));
    return {
      ...(below(2) === 0 ? { percentage: PERCENTAGES[below(5)] ?? 0 } : { amounts: amounts() }),
      ...sometimes({ payments: 1 + below(payments) }),
      ...sometimes({ months: 1 + below(15) }),
      ...sometimes({ paying_from: 1 + below(PAYING) }),
    };
  };
  return below(5) === 0 ? null : Array.from({ length: 1 + below(4) }, rule);
}

/** What the entries of a payment must say. */
type Said = Pick<Entry, 'rule' | 'payingSeen' | 'note' | 'commission'>;

/** The rules of an advocate with one customer, and what they must decide. */
export class ReplayedRules {
  /** `null` for an advocate with a percentage. */
  readonly list: readonly OracleRule[] | null;
  /** The parts of the rules that decided, and whether it was a later rule, an amount larger than its payment, or no rule. */
  readonly decided = new Set<string>();
  readonly #convertedAt: number;
  #paying = 0;
  readonly #said = new Map<string, Said>();

  constructor(payments: number, convertedAt: number, below: (limit: number) => number) {
    this.list = generatedRules(payments, below);
    this.#convertedAt = convertedAt;
  }

  /** Gives the program these rules, for the next referral. */
  async setIn(table: Table, program: Program): Promise<Program> {
    if (!this.list) return program;
    const commissionRules = parseCommissionRules('commission_rules', this.list);
    return updateProgram(table, program.id, { commissionRules });
  }

  /** Changes how many paying customers the advocate has, as the function `statistics` does, once in 50 times. */
  countSometimes(table: FakeTable, totals: Key, below: (limit: number) => number): void {
    if (below(50) > 0) return;
    this.#paying = below(PAYING * 2);
    const values = { ExpressionAttributeValues: { ':count': this.#paying } };
    table.write([{ Key: { ...totals }, UpdateExpression: `SET ${CUSTOMERS} = :count`, ...values }]);
  }

  /** Decides a payment as the oracle does. */
  readonly decide: Decide = ({ id, net: amount, currency, created: paidAt }, number) => {
    const { list } = this;
    if (!list) {
      const commission = expectedCommission(amount, RATE);
      this.#said.set(id, { rule: null, payingSeen: null, note: null, commission });
      return commission;
    }
    const payment = { amount, currency, paidAt, convertedAt: this.#convertedAt, number, paying: this.#paying };
    const { rule, commission } = expectedDecision(list, payment) ?? { rule: null, commission: 0 };
    const payingSeen = list.some(({ paying_from }) => paying_from !== undefined) ? this.#paying : null;
    this.#said.set(id, { rule, payingSeen, note: rule === null ? 'no_rule' : null, commission });
    this.#note(rule === null ? undefined : list[rule - 1], rule, payment);
    return commission;
  };

  #note(
    rule: OracleRule | undefined,
    number: number | null,
    { amount, currency }: Pick<OraclePayment, 'amount' | 'currency'>,
  ) {
    for (const part of Object.keys(rule ?? {})) this.decided.add(part);
    if ((rule?.amounts?.[currency] ?? 0) > amount) this.decided.add('capped');
    if (number !== 1) this.decided.add(number === null ? 'no rule' : 'later rule');
  }

  /** The entries of payments that say another rule, number, note or commission; of refunds and voids, another rule. */
  differences(entries: readonly Entry[]): unknown[] {
    return entries.flatMap((entry): unknown[] => {
      const { kind, paymentId, rule, payingSeen, note, commission } = entry;
      if (kind === 'adjustment' || kind === 'settlement') return [];
      const said = this.#said.get(paymentId ?? '');
      const isSame = rule === said?.rule && payingSeen === said.payingSeen;
      const isDecided = kind !== 'payment' || (note === said?.note && commission === said.commission);
      return isSame && isDecided ? [] : [[entry, said]];
    });
  }
}

/** Voids the payment of a delivery, if it has one, in the table and in the oracle. */
export async function voidBoth(
  table: Table,
  { id }: Program,
  oracle: LedgerOracle,
  { meaning, at }: GeneratedDelivery,
) {
  const paymentId = meaning.payment?.id;
  if (paymentId === undefined) return;
  await recordVoid(table, { program: id, by: 'merchant' }, { paymentId, note: 'Fraud' });
  oracle.void(paymentId, at);
}
