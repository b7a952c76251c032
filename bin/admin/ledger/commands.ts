import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { AdvocateNotFound, InvalidAffiliate, InvalidField } from '../../../functions/kernel/errors.ts';
import { parseText } from '../../../functions/kernel/fields/fields.ts';
import { MAX_AMOUNT } from '../../../functions/kernel/fields/money.ts';
import { toEntry } from '../../../functions/ledger/http/entry.ts';
import { parseAdjusted, parseAmount } from '../../../functions/ledger/http/writes/mapping.ts';
import { type Payout, type PayoutRun, payOut, planPayouts } from '../../../functions/ledger/operator/payouts.ts';
import { MAX_NOTE } from '../../../functions/ledger/rules/entry.ts';
import { parseEntryId } from '../../../functions/ledger/rules/entry-id.ts';
import { EntryExists } from '../../../functions/ledger/rules/errors.ts';
import { ENTRY_LIMIT, type Ledger, type Recorded } from '../../../functions/ledger/table/entries.ts';
import { recordAdjustment } from '../../../functions/ledger/table/entry-claims.ts';
import { recordVoid } from '../../../functions/ledger/table/payments.ts';
import { recordSettlement } from '../../../functions/ledger/table/settlements.ts';
import {
  type AdminCommand,
  type CliContext,
  NEXT_LINE,
  onProgram,
  type ProgramOptions,
  type ProgramWork,
} from '../cli.ts';
import { Failure, InvalidArguments } from '../errors.ts';
import { exportRows, formatOf, Money } from '../export.ts';
import * as option from '../options.ts';
import { flat, renderObject, withProgress } from '../output.ts';
import { addPaymentImport } from './import.ts';
import { addLedgerExport, addLedgerList, addStatement, addVerify } from './lists.ts';

type VoidOptions = { readonly paymentId: string; readonly note: string };
type AdjustOptions = Record<'advocate' | 'id' | 'currency' | 'note', string> & { readonly commission: number };
type OneOptions = Partial<Record<'advocate' | 'id' | 'reference', string>> & { readonly amount?: number };
type RunOptions = { readonly run?: string; readonly minimum?: number; readonly dryRun?: true };
type SettleOptions = ProgramOptions & OneOptions & RunOptions & { readonly all?: true; readonly currency: string };

const REPEATED = 'If it is repeated with the same options, it prints the first entry and writes nothing.';
const COLUMNS = ['slug', 'email', 'first_name', 'last_name', 'amount', 'currency', 'id'] as const;
const MAX_RUN = 100;
const PROGRESS = '{value} payouts written';
const FORM = 'Give --all with --run, or --advocate with --id and --amount. Run with --help to see the options.';
const OF_RUN =
  '--run, --minimum and --dry-run are options of --all, not of --advocate. Run with --help to see the options.';
const RESUMABLE =
  'What was settled stays. Run the same command again: it prints all its settlements, and adds the rest.';
const TAKEN = 'A settlement of another advocate or currency has an id of this run.';
const REST = 'What was settled stays: pay the printed lines. Then choose another --run for the rest.';

const noteOf = (text: string) => parseText('note', text, MAX_NOTE);
const idOf = (text: string) => parseEntryId('id', text);
const CURRENCY = ['--currency <code>', 'code of the currency, such as usd', option.currency] as const;

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

function addSettle(ledger: AdminCommand, context: CliContext): void {
  const command = ledger
    .programCommand('settle', 'record what was paid to an advocate, or settle all that is payable')
    .requiredOption(...CURRENCY)
    .option('--advocate <slug>', 'slug of the advocate', option.slug)
    .option('--id <id>', 'your id of the settlement', idOf)
    .option('--amount <number>', "what was paid, in the currency's smallest unit", (text) =>
      parseAmount(option.decimal(text)),
    )
    .option('--reference <text>', 'reference of the bank transfer, for example, which the advocate sees', (text) =>
      parseText('reference', text, MAX_NOTE),
    )
    .option('--all', 'settle what is payable of each advocate, and print a line of CSV for each to pay from')
    .option('--run <name>', 'with --all: name of the payout run, such as 2026-10')
    .option(
      '--minimum <number>',
      'with --all: the least amount that is paid (default: 1)',
      option.whole('minimum', MAX_AMOUNT),
    )
    .option('--dry-run', 'with --all: write nothing, and print what the run would')
    .examples(
      [
        `ledger settle --program ID --advocate jane-doe --id payout-2026-10 ${NEXT_LINE} --amount 12500 --currency usd --reference TR-4711`,
        'ledger settle --program ID --all --run 2026-10 --currency usd --minimum 5000 --dry-run',
        'ledger settle --program ID --all --run 2026-10 --currency usd --minimum 5000 > payouts.csv',
      ],
      `Options are in the currency's smallest unit, such as cents. A printed line has units, such as 49.00, and with --json
the smallest unit. It moves no money. A run pays each advocate once, under the id RUN:CURRENCY:SLUG. Interrupted or repeated, it prints what
it has settled before with the same amounts and ids, and adds advocates who have become payable since.`,
    )
    .action(async (options: SettleOptions) => {
      const { all, dryRun = false } = options;
      if (!all) return command.print(await onProgram(context, options, settlingOne(options)));
      const run = parseRun(options);
      try {
        await onProgram(context, options, async ({ program, table }) => {
          const payouts = dryRun ? planPayouts(table, program, run) : payOut(table, program, run);
          const write = (show: (payouts: number) => void) =>
            exportRows(context, formatOf(command), COLUMNS, pagesOf(payouts, run, show));
          // On a terminal, the lines themselves show it.
          await (context.output.columns === undefined
            ? withProgress(PROGRESS, context.clock, write)
            : write(() => undefined));
        });
      } catch (error) {
        throw explained(error, dryRun);
      }
      if (dryRun) context.errors.write('This was a dry run: nothing was written.\n');
    });
}

function settlingOne({ advocate: slug, id, amount, currency, reference, ...options }: SettleOptions): ProgramWork {
  const isOfRun = [options.run, options.minimum, options.dryRun].some((option) => option !== undefined);
  if (slug !== undefined && isOfRun) throw new InvalidArguments(OF_RUN);
  if (slug === undefined || id === undefined || amount === undefined) throw new InvalidArguments(FORM);
  const settlement = { slug, settlementId: id, amount, currency, reference: reference ?? null, settledAt: null };
  return recordingEntry((table, ledger) => recordSettlement(table, ledger, settlement));
}

function parseRun({ run: name, currency, minimum = 1, ...options }: SettleOptions): PayoutRun {
  const isOfOne = [options.advocate, options.id, options.amount, options.reference].some((one) => one !== undefined);
  if (name === undefined || isOfOne) throw new InvalidArguments(FORM);
  if (!/^[ -~]+$/.test(name) || name.length > MAX_RUN) {
    throw new InvalidField('run', `must be 1 to ${MAX_RUN} printable ASCII characters`);
  }
  return { name, currency, minimum };
}

async function* pagesOf(payouts: AsyncIterable<Payout>, { currency }: PayoutRun, show: (payouts: number) => void) {
  let count = 0;
  for await (const { advocate, amount, id } of payouts) {
    const { slug, email, firstName: first_name, lastName: last_name } = advocate;
    yield [{ slug, email, first_name, last_name, amount: new Money(amount, currency), currency, id }];
    count += 1;
    show(count);
  }
}

function explained(error: unknown, isDryRun: boolean): unknown {
  if (error instanceof EntryExists) {
    return new Failure(`${TAKEN} ${isDryRun ? 'Choose another --run.' : REST}`, { cause: error });
  }
  if (isDryRun || !(error instanceof Failure)) return error;
  return new Failure(`${error.message} ${RESUMABLE}`, { cause: error });
}

function recordingEntry(record: (table: Table, ledger: Ledger) => Promise<Recorded>): ProgramWork {
  return async ({ program, table }) => {
    const recorded = record(table.forOneOperation(ENTRY_LIMIT), { program: program.id, by: 'operator' });
    const { entry } = await recorded.catch((error: unknown) => {
      // Here, a deactivated advocate is as good as an active one.
      throw error instanceof InvalidAffiliate ? new AdvocateNotFound() : error;
    });
    return renderObject(flat(toEntry(entry)));
  };
}
