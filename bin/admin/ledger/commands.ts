import { parseText } from '../../../functions/kernel/fields/fields.ts';
import { parseAdjusted } from '../../../functions/ledger/http/writes/mapping.ts';
import { MAX_NOTE } from '../../../functions/ledger/rules/entry.ts';
import { parseEntryId } from '../../../functions/ledger/rules/entry-id.ts';
import { recordAdjustment } from '../../../functions/ledger/table/entry-claims.ts';
import { recordVoid } from '../../../functions/ledger/table/payments.ts';
import { type AdminCommand, type CliContext, NEXT_LINE } from '../cli.ts';
import * as option from '../options.ts';
import { CURRENCY, idOf, recordingEntry } from './entry.ts';
import { addPaymentImport } from './import.ts';
import { addLedgerExport, addLedgerList, addStatement, addVerify } from './lists.ts';
import { addSettle } from './settle.ts';

type VoidOptions = { readonly paymentId: string; readonly note: string };
type AdjustOptions = Record<'advocate' | 'id' | 'currency' | 'note', string> & { readonly commission: number };

const REPEATED = 'If it is repeated with the same options, it prints the first entry and writes nothing.';

const noteOf = (text: string) => parseText('note', text, MAX_NOTE);

export function addLedgerCommands(admin: AdminCommand, context: CliContext): void {
  const ledger = admin.command('ledger').description('the ledger: what advocates have earned, and what they were paid');
  addLedgerList(ledger);
  addLedgerExport(ledger, context);
  addPaymentImport(ledger, context);

  ledger
    .programCommand('void', 'take back what is left of the commission of a payment, after fraud or a mistake')
    .requiredOption('--payment-id <id>', 'id of the payment', (text) => parseEntryId('payment_id', text))
    .requiredOption('--note <text>', 'the reason, which the advocate sees', noteOf)
    .examples(['ledger void --program ID --payment-id in_1042 --note "Stolen card"'], REPEATED)
    .onProgram(({ paymentId, note }: VoidOptions) =>
      recordingEntry((table, at) => recordVoid(table, at, { paymentId, note })),
    );

  const call = `ledger adjust --program ID --advocate jane-doe --id bonus-2026-10 ${NEXT_LINE}`;
  ledger
    .programCommand('adjust', 'add a bonus to the balance of an advocate, or correct it')
    .requiredOption('--advocate <slug>', 'slug of the advocate', option.slug)
    .requiredOption('--id <id>', 'your id of the adjustment', idOf)
    .requiredOption(
      '--commission <number>',
      "what is added, in the currency's smallest unit; may be negative",
      (text) => parseAdjusted(option.decimal(text)),
    )
    .requiredOption(...CURRENCY)
    .requiredOption('--note <text>', 'what it is for, which the advocate sees', noteOf)
    .examples(
      [
        `${call} --commission=2500 --currency usd --note "Launch bonus"`,
        `${call} --commission=-500 --currency usd --note "Counted twice"`,
      ],
      REPEATED,
    )
    .onProgram(({ advocate: slug, id: adjustmentId, commission, currency, note }: AdjustOptions) =>
      recordingEntry((table, at) => recordAdjustment(table, at, { slug, adjustmentId, commission, currency, note })),
    );

  addSettle(ledger, context);
  addStatement(ledger, context);
  addVerify(ledger);
}
