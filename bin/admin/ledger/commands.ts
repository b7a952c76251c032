import { parseSlug, parseText } from '../../../functions/domain/fields.ts';
import { MAX_NOTE } from '../../../functions/domain/ledger/entry.ts';
import { parseEntryId } from '../../../functions/domain/ledger/entry-id.ts';
import { parseCurrency } from '../../../functions/domain/ledger/money.ts';
import { recordAdjustment } from '../../../functions/table/ledger/entry-claims.ts';
import { recordVoid } from '../../../functions/table/ledger/payments.ts';
import { parseAdjusted } from '../../../functions/tracking/ledger/mapping.ts';
import { type AdminCommand, type CliContext, decimal, NEXT_LINE } from '../cli.ts';
import { addPaymentImport } from '../import/payments.ts';
import { addLedgerExport, addLedgerList } from './lists.ts';
import { recordingEntry } from './record.ts';
import { addStatement, addVerify } from './reports.ts';
import { addSettle } from './settle.ts';

interface AdjustOptions {
  readonly advocate: string;
  readonly id: string;
  readonly commission: number;
  readonly currency: string;
  readonly note: string;
}

const REPEATED = 'If it is repeated with the same options, it prints the first entry and writes nothing.';

/** Adds all commands for the ledger. */
export function addLedgerCommands(admin: AdminCommand, context: CliContext): void {
  const ledger = admin.command('ledger').description('the ledger: what advocates have earned, and what they were paid');
  addLedgerList(ledger);
  addLedgerExport(ledger, context);
  addPaymentImport(ledger, context);
  addVoid(ledger);
  addAdjust(ledger);
  addSettle(ledger, context);
  addStatement(ledger, context);
  addVerify(ledger);
}

function addVoid(ledger: AdminCommand): void {
  ledger
    .programCommand('void', 'take back what is left of the commission of a payment, after fraud or a mistake')
    .requiredOption('--payment-id <id>', 'id of the payment')
    .requiredOption('--note <text>', 'the reason, which the advocate sees')
    .examples(['ledger void --program ID --payment-id in_1042 --note "Stolen card"'], REPEATED)
    .onProgram((options: { readonly paymentId: string; readonly note: string }) => {
      const paymentId = parseEntryId('payment_id', options.paymentId);
      const note = parseText('note', options.note, MAX_NOTE);
      return recordingEntry((table, ledger) => recordVoid(table, ledger, { paymentId, note }));
    });
}

function addAdjust(ledger: AdminCommand): void {
  const call = `ledger adjust --program ID --advocate jane-doe --id bonus-2026-10 ${NEXT_LINE}`;
  ledger
    .programCommand('adjust', 'add a bonus to the balance of an advocate, or correct it')
    .requiredOption('--advocate <slug>', 'slug of the advocate')
    .requiredOption('--id <id>', 'your id of the adjustment')
    .requiredOption('--commission <number>', "what is added, in the currency's smallest unit; may be negative", decimal)
    .requiredOption('--currency <code>', 'code of the currency, such as usd')
    .requiredOption('--note <text>', 'what it is for, which the advocate sees')
    .examples(
      [
        `${call} --commission=2500 --currency usd --note "Launch bonus"`,
        `${call} --commission=-500 --currency usd --note "Counted twice"`,
      ],
      REPEATED,
    )
    .onProgram(({ advocate, id, commission, currency, note }: AdjustOptions) => {
      const adjustment = {
        slug: parseSlug('advocate', advocate),
        adjustmentId: parseEntryId('id', id),
        commission: parseAdjusted(commission),
        currency: parseCurrency('currency', currency),
        note: parseText('note', note, MAX_NOTE),
      };
      return recordingEntry((table, ledger) => recordAdjustment(table, ledger, adjustment));
    });
}
