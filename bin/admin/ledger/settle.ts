import { Option } from 'commander';
import { dayOf, parseDay } from '../../../functions/kernel/days.ts';
import { parseText } from '../../../functions/kernel/fields/fields.ts';
import { MAX_AMOUNT } from '../../../functions/kernel/fields/money.ts';
import { type Seconds, secondOf } from '../../../functions/kernel/time.ts';
import { parseAmount } from '../../../functions/ledger/http/writes/mapping.ts';
import { payOut, planPayouts } from '../../../functions/ledger/operator/payouts.ts';
import { MAX_NOTE } from '../../../functions/ledger/rules/entry.ts';
import { EntryExists } from '../../../functions/ledger/rules/errors.ts';
import {
  checkFormat,
  type LeftOut,
  leftOutOf,
  PAYOUT_COLUMNS,
  payoutFields,
  writePayoutFile,
} from '../../../functions/ledger/rules/payout-file.ts';
import {
  PAYOUT_FORMATS,
  type Payout,
  type PayoutFormat,
  type PayoutRun,
  parseRunName,
} from '../../../functions/ledger/rules/payout-run.ts';
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
import { exportRows, Money } from '../export.ts';
import * as option from '../options.ts';
import { wantsJson, withProgress, writePieces } from '../output.ts';
import { CURRENCY, idOf, recordingEntry } from './entry.ts';

type OneOptions = Partial<Record<'advocate' | 'id' | 'reference', string>> & { readonly amount?: number };
type RunOptions = Partial<Record<'run' | 'date', string>> & {
  readonly minimum?: number;
  readonly dryRun?: true;
  readonly format?: PayoutFormat;
};
type SettleOptions = ProgramOptions & OneOptions & RunOptions & { readonly all?: true; readonly currency: string };

const PROGRESS = '{value} payouts written';
const FORM = 'Give --all with --run, or --advocate with --id and --amount. Run with --help to see the options.';
const OF_RUN =
  '--run, --minimum, --dry-run, --format and --date are options of --all, not of --advocate. Run with --help to see the options.';
const DRY = 'A dry run writes csv only, because nobody must pay from it. Leave out --format.';
const NO_DATE = '--date is for --format sepa. Leave it out.';
const RESUMABLE =
  'What was settled stays. Run the same command again: it prints all its settlements, and adds the rest.';
const NO_FILE = 'The file would pay nobody, so none was written: csv lists all settlements.';
const LATER = 'Run the same command again after 3 days: it adds them.';
const TAKEN = 'A settlement of another advocate or currency has an id of this run.';
const REST = 'What was settled stays: pay the printed lines. Then choose another --run for the rest.';

export function addSettle(ledger: AdminCommand, context: CliContext): void {
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
    .addOption(
      new Option('--format <format>', "with --all: CSV (default), PayPal's file, or a SEPA credit transfer").choices(
        PAYOUT_FORMATS,
      ),
    )
    .option('--date <day>', 'with --format sepa: when the bank pays (default: today, UTC)', (text) =>
      parseDay('date', text),
    )
    .option('--dry-run', 'with --all: write nothing, and print what the run would')
    .examples(
      [
        `ledger settle --program ID --advocate jane-doe --id payout-2026-10 ${NEXT_LINE} --amount 12500 --currency usd --reference TR-4711`,
        'ledger settle --program ID --all --run 2026-10 --currency usd --minimum 5000 --dry-run',
        'ledger settle --program ID --all --run 2026-10 --currency usd --minimum 5000 > payouts.csv',
        'ledger settle --program ID --all --run 2026-10 --currency eur --format sepa --date 2026-11-02 > payouts.xml',
      ],
      `Options are in the currency's smallest unit, such as cents. A printed line has units, such as 49.00, and with --json
the smallest unit. It moves no money. A run pays each advocate once, under the id RUN:CURRENCY:SLUG. Interrupted or repeated, it prints what
it has settled before with the same amounts and ids, and adds advocates who have become payable since. The formats paypal and sepa
leave out settlements that they cannot pay, and list them with the reason on standard error. Each run leaves out advocates
with a new payout account or email for 3 days, and lists them there.`,
    )
    .action(async (options: SettleOptions) => {
      const { all, dryRun = false } = options;
      if (!all) return command.print(await onProgram(context, options, settlingOne(options)));
      const run = parseRun(options);
      const format = wantsJson(command) ? 'ndjson' : (options.format ?? 'csv');
      try {
        await onProgram(context, options, async ({ program, table }) => {
          if (format !== 'ndjson') checkFormat({ format, run, program });
          const pending: string[] = [];
          const onPending = (slug: string) => pending.push(slug);
          const payouts = dryRun ? planPayouts(table, program, run, onPending) : payOut(table, program, run, onPending);
          const write = async (show: (payouts: number) => void) => {
            const pages = counted(payouts, show);
            const now = secondOf(context.clock());
            if (format === 'csv' || format === 'ndjson') {
              await exportRows(context, format, PAYOUT_COLUMNS, rowsOf(pages, run, now));
              context.errors.write(pendingReport(pending));
              return;
            }
            const request = { format, run, program, now, date: options.date ?? dayOf(now) };
            const all = await listOf(pages);
            // First: if no file is written, the list says why.
            const leftOut = leftOutOf(request, all);
            context.errors.write(reportOf(leftOut) + pendingReport(pending));
            if (leftOut.length === all.length) throw new Failure(NO_FILE);
            await writePieces(context.output, [writePayoutFile(request, all).text]);
          };
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
  const { run, minimum, dryRun, format, date } = options;
  const isOfRun = [run, minimum, dryRun, format, date].some((option) => option !== undefined);
  if (slug !== undefined && isOfRun) throw new InvalidArguments(OF_RUN);
  if (slug === undefined || id === undefined || amount === undefined) throw new InvalidArguments(FORM);
  const settlement = { slug, settlementId: id, amount, currency, reference: reference ?? null, settledAt: null };
  return recordingEntry((table, ledger) => recordSettlement(table, ledger, settlement));
}

function parseRun({ run: name, currency, minimum = 1, ...options }: SettleOptions): PayoutRun {
  const isOfOne = [options.advocate, options.id, options.amount, options.reference].some((one) => one !== undefined);
  if (name === undefined || isOfOne) throw new InvalidArguments(FORM);
  const { format = 'csv', date, dryRun } = options;
  if (dryRun && format !== 'csv') throw new InvalidArguments(DRY);
  if (date !== undefined && format !== 'sepa') throw new InvalidArguments(NO_DATE);
  return { name: parseRunName('run', name), currency, minimum };
}

async function* counted(payouts: AsyncIterable<Payout>, show: (payouts: number) => void) {
  let count = 0;
  for await (const payout of payouts) {
    yield payout;
    count += 1;
    show(count);
  }
}

async function listOf(payouts: AsyncIterable<Payout>): Promise<Payout[]> {
  const list: Payout[] = [];
  for await (const payout of payouts) list.push(payout);
  return list;
}

async function* rowsOf(payouts: AsyncIterable<Payout>, { currency }: PayoutRun, now: Seconds) {
  for await (const payout of payouts) {
    yield [{ ...payoutFields(payout, currency, now), amount: new Money(payout.amount, currency) }];
  }
}

/** The settlements that a file leaves out, by slug and reason. */
function reportOf(leftOut: readonly LeftOut[]): string {
  if (leftOut.length === 0) return '';
  const lines = leftOut.map(({ payout, reason }) => `  ${payout.advocate.slug}: ${reason}\n`);
  return `The file leaves out ${leftOut.length} of the settlements. Pay them in another way:\n${lines.join('')}`;
}

/** The advocates whom a run leaves out, although enough is payable to them. */
function pendingReport(slugs: readonly string[]): string {
  if (slugs.length === 0) return '';
  const lines = slugs.map((slug) => `  ${slug}: payout_pending\n`);
  return `The run leaves out ${slugs.length} of the advocates, whose payout account or email is new. ${LATER}\n${lines.join('')}`;
}

function explained(error: unknown, isDryRun: boolean): unknown {
  if (error instanceof EntryExists) {
    return new Failure(`${TAKEN} ${isDryRun ? 'Choose another --run.' : REST}`, { cause: error });
  }
  if (isDryRun || !(error instanceof Failure)) return error;
  return new Failure(`${error.message} ${RESUMABLE}`, { cause: error });
}
