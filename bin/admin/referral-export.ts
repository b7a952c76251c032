import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { InvalidField } from '../../functions/domain/errors.ts';
import { type ExportedReferral, exportReferrals } from '../../functions/table/operator/referral-export.ts';
import type { CliContext } from './context.ts';
import { withApostrophe } from './formula.ts';
import { programWith } from './lookup.ts';
import { keepMemorySmall } from './memory.ts';
import { examples, PROGRAM_OPTION, type ProgramOptions } from './options.ts';
import { REFERRAL_COLUMNS } from './referral-columns.ts';
import { referralFields } from './referral-fields.ts';

interface ExportOptions extends ProgramOptions {
  readonly format?: string;
}

type Pages = AsyncIterable<readonly ExportedReferral[]>;

/** How rows are written. */
const WRITERS = { csv, ndjson };

/** Adds `referral export`. */
export function addReferralExport(referral: Command, { onTable, output }: CliContext): void {
  referral
    .command('export')
    .description('write all referrals of a program, clicks too, to standard output')
    .requiredOption(...PROGRAM_OPTION)
    .option('--format <format>', 'csv or ndjson (else csv, or ndjson with --json)')
    .addHelpText(
      'after',
      `${examples('referral export --program ID > referrals.csv', 'referral export --program ID --format ndjson')}

Times are Unix seconds. In csv a value that a spreadsheet would take for a formula has an apostrophe in front, which
referral import takes away again.`,
    )
    .action(async (options: ExportOptions, self: Command) => {
      const { json } = self.optsWithGlobals<{ json?: true }>();
      const write = writerFor(options.format ?? (json ? 'ndjson' : 'csv'));
      keepMemorySmall();
      await onTable(async (table) => {
        const program = await programWith(options.program, table);
        const pages = exportReferrals(table, program.id);
        await pipeline(Readable.from(write(pages)), output, { end: false });
      });
    });
}

function writerFor(format: string): (pages: Pages) => AsyncIterable<string> {
  if (format !== 'csv' && format !== 'ndjson') throw new InvalidField('format', 'must be csv or ndjson');
  return WRITERS[format];
}

async function* csv(pages: Pages): AsyncGenerator<string, void> {
  const text = (rows: readonly (readonly unknown[])[]) => stringify([...rows], { cast: { string: withApostrophe } });
  yield text([REFERRAL_COLUMNS]);
  for await (const referrals of pages) {
    const rows = referrals.map(referralFields);
    yield text(rows.map((row) => REFERRAL_COLUMNS.map((column) => row[column])));
  }
}

async function* ndjson(pages: Pages): AsyncGenerator<string, void> {
  const columns = [...REFERRAL_COLUMNS];
  for await (const referrals of pages) {
    yield referrals.map((referral) => `${JSON.stringify(referralFields(referral), columns)}\n`).join('');
  }
}
