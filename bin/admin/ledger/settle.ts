import { parseSlug, parseText } from '../../../functions/domain/fields.ts';
import { MAX_NOTE } from '../../../functions/domain/ledger/entry.ts';
import { parseEntryId } from '../../../functions/domain/ledger/entry-id.ts';
import { parseCurrency } from '../../../functions/domain/ledger/money.ts';
import { recordSettlement } from '../../../functions/table/ledger/entry-claims.ts';
import { parseAmount } from '../../../functions/tracking/ledger/mapping.ts';
import { type AdminCommand, decimal, NEXT_LINE } from '../cli.ts';
import { recordingEntry } from './record.ts';

interface SettleOptions {
  readonly advocate: string;
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly reference?: string;
}

/** Adds `ledger settle`. */
export function addSettle(ledger: AdminCommand): void {
  ledger
    .programCommand('settle', 'record what was paid to an advocate; it moves no money')
    .requiredOption('--advocate <slug>', 'slug of the advocate')
    .requiredOption('--id <id>', 'your id of the settlement')
    .requiredOption('--amount <number>', "what was paid, in the currency's smallest unit", decimal)
    .requiredOption('--currency <code>', 'code of the currency, such as usd')
    .option('--reference <text>', 'reference of the bank transfer, for example, which the advocate sees')
    .examples([
      `ledger settle --program ID --advocate jane-doe --id payout-2026-10 ${NEXT_LINE} --amount 12500 --currency usd --reference TR-4711`,
    ])
    .onProgram(({ advocate, id, amount, currency, reference }: SettleOptions) => {
      const settlement = {
        slug: parseSlug('advocate', advocate),
        settlementId: parseEntryId('id', id),
        amount: parseAmount(amount),
        currency: parseCurrency('currency', currency),
        reference: reference === undefined ? null : parseText('reference', reference, MAX_NOTE),
        settledAt: null,
      };
      return recordingEntry((table, ledger) => recordSettlement(table, ledger, settlement));
    });
}
