import { InvalidField } from '../../../functions/domain/errors.ts';
import { parseSlug, parseText } from '../../../functions/domain/fields.ts';
import { MAX_NOTE } from '../../../functions/domain/ledger/entry.ts';
import { parseEntryId } from '../../../functions/domain/ledger/entry-id.ts';
import { EntryExists } from '../../../functions/domain/ledger/errors.ts';
import { MAX_AMOUNT, parseCurrency } from '../../../functions/domain/ledger/money.ts';
import { parseWhole } from '../../../functions/domain/numbers.ts';
import { recordSettlement } from '../../../functions/table/ledger/settlements.ts';
import { type Payout, type PayoutRun, payOut, planPayouts } from '../../../functions/table/operator/payouts.ts';
import { parseAmount } from '../../../functions/tracking/ledger/mapping.ts';
import {
  type AdminCommand,
  type CliContext,
  decimal,
  NEXT_LINE,
  type ProgramOptions,
  type ProgramWork,
  requireProgram,
} from '../cli.ts';
import { Failure, InvalidArguments } from '../errors.ts';
import { exportRows, formatOf, Money } from '../export.ts';
import { withProgress } from '../output.ts';
import { recordingEntry } from './record.ts';

/** Options of the settlement of one advocate, and of a payout run. */
type OneOptions = Partial<Record<'advocate' | 'id' | 'reference', string>> & { readonly amount?: number };
type RunOptions = { readonly run?: string; readonly minimum?: number; readonly dryRun?: true };
type SettleOptions = ProgramOptions & OneOptions & RunOptions & { readonly all?: true; readonly currency: string };

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

/** Adds `ledger settle`. */
export function addSettle(ledger: AdminCommand, context: CliContext): void {
  const command = ledger.programCommand('settle', 'record what was paid to an advocate, or settle all that is payable');
  command
    .requiredOption('--currency <code>', 'code of the currency, such as usd')
    .option('--advocate <slug>', 'slug of the advocate')
    .option('--id <id>', 'your id of the settlement')
    .option('--amount <number>', "what was paid, in the currency's smallest unit", decimal)
    .option('--reference <text>', 'reference of the bank transfer, for example, which the advocate sees')
    .option('--all', 'settle what is payable of each advocate, and print a line of CSV for each to pay from')
    .option('--run <name>', 'with --all: name of the payout run, such as 2026-10')
    .option('--minimum <number>', 'with --all: the least amount that is paid (default: 1)', decimal)
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
      const { all, program: id } = options;
      if (!all) {
        const work = settlingOne(options);
        const onProgram = context.onTable(async (table) => work({ program: await requireProgram(id, table), table }));
        return command.print(await onProgram);
      }
      const run = parseRun(options);
      const { dryRun } = options;
      try {
        await context.onTable(async (table) => {
          const program = await requireProgram(id, table);
          const payouts = dryRun ? planPayouts(table, program, run) : payOut(table, program, run);
          const write = (show: (payouts: number) => void) =>
            exportRows(context, formatOf(command), COLUMNS, pagesOf(payouts, run, show));
          // On a terminal, the lines themselves show it.
          await (context.output.columns === undefined
            ? withProgress(PROGRESS, context.clock, write)
            : write(() => undefined));
        });
      } catch (error) {
        throw explained(error, dryRun ?? false);
      }
      if (dryRun) context.errors.write('This was a dry run: nothing was written.\n');
    });
}

/** Says what is left of a run that failed. */
function explained(error: unknown, isDryRun: boolean): unknown {
  if (error instanceof EntryExists) {
    return new Failure(`${TAKEN} ${isDryRun ? 'Choose another --run.' : REST}`, { cause: error });
  }
  if (isDryRun || !(error instanceof Failure)) return error;
  return new Failure(`${error.message} ${RESUMABLE}`, { cause: error });
}

function settlingOne(options: SettleOptions): ProgramWork {
  const { advocate, id, amount, currency, reference } = options;
  const isOfRun = [options.run, options.minimum, options.dryRun].some((option) => option !== undefined);
  if (advocate !== undefined && isOfRun) throw new InvalidArguments(OF_RUN);
  if (advocate === undefined || id === undefined || amount === undefined) throw new InvalidArguments(FORM);
  const settlement = {
    slug: parseSlug('advocate', advocate),
    settlementId: parseEntryId('id', id),
    amount: parseAmount(amount),
    currency: parseCurrency('currency', currency),
    reference: reference === undefined ? null : parseText('reference', reference, MAX_NOTE),
    settledAt: null,
  };
  return recordingEntry((table, ledger) => recordSettlement(table, ledger, settlement));
}

function parseRun({ run, currency, minimum = 1, ...options }: SettleOptions): PayoutRun {
  const isOfOne = [options.advocate, options.id, options.amount, options.reference].some((one) => one !== undefined);
  if (run === undefined || isOfOne) throw new InvalidArguments(FORM);
  if (!/^[ -~]+$/.test(run) || run.length > MAX_RUN) {
    throw new InvalidField('run', `must be 1 to ${MAX_RUN} printable ASCII characters`);
  }
  return {
    name: run,
    currency: parseCurrency('currency', currency),
    minimum: parseWhole('minimum', minimum, MAX_AMOUNT),
  };
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
