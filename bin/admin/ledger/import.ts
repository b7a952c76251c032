import { hasRules } from '../../../functions/kernel/accounts/table/commission-rules.ts';
import { InvalidField } from '../../../functions/kernel/errors.ts';
import { MAX_UID, parseEmail } from '../../../functions/kernel/fields/fields.ts';
import { MAX_AMOUNT, parseCurrency } from '../../../functions/kernel/fields/money.ts';
import { parseWhole } from '../../../functions/kernel/fields/numbers.ts';
import { type Seconds, secondOf } from '../../../functions/kernel/time.ts';
import { entryStoreOf, type PaymentOutcome, storePayments } from '../../../functions/ledger/operator/payment-import.ts';
import type { ImportedPayment } from '../../../functions/ledger/operator/payment-plan.ts';
import { MAX_ENTRY_ID, parseEntryId } from '../../../functions/ledger/rules/entry-id.ts';
import type { AdminCommand, CliContext } from '../cli.ts';
import type { Cells } from '../csv.ts';
import { optional, type Parser, required, textUpTo, timeUntil, uuid } from '../import/cells.ts';
import { addImport } from '../import/command.ts';
import type { Outcome } from '../import/report.ts';

const CUSTOMER = ['email', 'uid', 'id'] as const;
const COLUMNS = [
  'payment_id',
  ...CUSTOMER,
  'amount_minor',
  'currency',
  'paid_at',
  'refunded_minor',
  'commission_minor',
  'settled_minor',
];

/** Room that the ids of imported refunds and settlements need beside the id of their payment. */
const ID_ROOM = `import::${MAX_AMOUNT}`.length;

const uid = textUpTo(MAX_UID);
const currency: Parser<string> = (column, text) => parseCurrency(column, text.toLowerCase());

const REASONS: Readonly<Partial<Record<PaymentOutcome, string>>> = {
  'unknown customer': 'email, uid or id does not belong to a referral of the program: import the referrals first',
  'ambiguous customer': 'email, uid and id must belong to the same referral',
  'not converted': 'email, uid or id belongs to a click: report its conversion first',
  'other fields': 'payment_id was already recorded with other fields',
  'at stripe': 'Stripe reports this payment and its refunds: send its events again from Stripe instead',
  'other settlement':
    'settled_minor is more than what an earlier line or import recorded: add the difference with `ledger settle`',
};

export function addPaymentImport(ledger: AdminCommand, context: CliContext): void {
  addImport<ImportedPayment>(ledger, context, {
    noun: 'ledger',
    rows: 'payments',
    subject: 'payment',
    columns: COLUMNS,
    required: [['payment_id'], CUSTOMER, ['amount_minor'], ['currency'], ['paid_at']],
    remarks: `Amounts are whole numbers in
the currency's smallest unit, such as cents. refunded_minor is what was refunded of the payment in all, settled_minor what
of its commission was paid to the advocate. commission_minor replaces the commission at the rate of the referral. The states
of referrals do not change, and the entries stand in the month of the import. If refunded_minor is larger in a later file,
the difference is recorded; if settled_minor is, the line fails. In a program that has or had commission rules, which may
count payments, the oldest paid_at is recorded first, and the whole file is kept in memory.`,
    storeOf: entryStoreOf,
    rowsOf: (program, table, store) => ({
      parse: paymentParser(secondOf(table.clock())),
      writes: ({ refunded, settled }) => 3 + (refunded > 0 ? 3 : 0) + (settled > 0 ? 2 : 0),
      order: async () => ((await hasRules(table, program.id)) ? ({ paidAt }) => paidAt : undefined),
      store: async (rows) => {
        const stored = await storePayments(table, { program: program.id, by: 'import' }, rows, store);
        return stored.map(toOutcome);
      },
    }),
  });
}

function toOutcome(stored: PaymentOutcome): Outcome {
  const reason = REASONS[stored];
  if (reason !== undefined) return { reason };
  return stored === 'created' || stored === 'contradicted' ? stored : 'skipped';
}

function paymentParser(now: Seconds): (cells: Cells) => ImportedPayment {
  const past = timeUntil(now);
  return (cells) => {
    const needed = <Value>(column: string, parse: Parser<Value>) =>
      required(column, optional(cells, column, parse) ?? undefined);
    const paymentId = needed('payment_id', parseEntryId);
    const amount = needed('amount_minor', whole(1));
    const refunded = optional(cells, 'refunded_minor', whole(0)) ?? 0;
    const settled = optional(cells, 'settled_minor', whole(0)) ?? 0;
    if (refunded > amount) throw new InvalidField('refunded_minor', 'must not be more than amount_minor');
    if (refunded + settled > 0 && paymentId.length > MAX_ENTRY_ID - ID_ROOM) {
      const limit = `must have at most ${MAX_ENTRY_ID - ID_ROOM} characters if something was refunded or settled`;
      throw new InvalidField('payment_id', limit);
    }
    const reference = {
      email: optional(cells, 'email', parseEmail),
      uid: optional(cells, 'uid', uid),
      id: optional(cells, 'id', uuid),
    };
    if (Object.values(reference).every((value) => value === null)) {
      throw new InvalidField('email, uid or id', 'must not be empty');
    }
    return {
      paymentId,
      reference,
      amount,
      currency: needed('currency', currency),
      paidAt: needed('paid_at', past),
      refunded,
      commission: optional(cells, 'commission_minor', whole(0)),
      settled,
    };
  };
}

function whole(min: number): Parser<number> {
  return (column, text) => parseWhole(column, /^\d{1,13}$/.test(text) ? Number(text) : Number.NaN, MAX_AMOUNT, min);
}
