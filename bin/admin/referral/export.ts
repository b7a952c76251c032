import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Option } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { attributesIn, isEmpty, namesIn } from '../../../functions/domain/field-list.ts';
import { REFERRAL_FIELDS } from '../../../functions/domain/referral/referral-fields.ts';
import { type ExportedReferral, exportReferrals } from '../../../functions/table/operator/referral-export.ts';
import { type AdminCommand, type CliContext, type ProgramOptions, requireProgram } from '../cli.ts';
import { escapeFormula } from '../csv.ts';
import { wantsJson } from '../output.ts';

type Pages = AsyncIterable<readonly ExportedReferral[]>;

const WRITERS = { csv, ndjson };

/** The columns of a file of referrals, which `referral export` writes and `referral import` reads. */
export const REFERRAL_COLUMNS = ['id', 'advocate_slug', ...namesIn(REFERRAL_FIELDS, 'file')] as const;

/** Adds `referral export`. */
export function addReferralExport(referral: AdminCommand, { onTable, output }: CliContext): void {
  referral
    .programCommand('export', 'write all referrals of a program, including clicks, to standard output')
    .addOption(new Option('--format <format>', 'format of the rows').choices(Object.keys(WRITERS)))
    .examples(
      ['referral export --program ID > referrals.csv', 'referral export --program ID --format ndjson'],
      `The default format is csv; with --json it is ndjson, one JSON object per line. Times are Unix
seconds. In csv, a value that a spreadsheet would run as a formula starts with an apostrophe, which
\`referral import\` removes.`,
    )
    .action((options: ProgramOptions & { format?: keyof typeof WRITERS }, command: AdminCommand) =>
      onTable(async (table) => {
        const program = await requireProgram(options.program, table);
        const write = WRITERS[options.format ?? (wantsJson(command) ? 'ndjson' : 'csv')];
        const pages = exportReferrals(table, program.id);
        await pipeline(Readable.from(write(pages)), output, { end: false });
      }),
    );
}

async function* csv(pages: Pages): AsyncGenerator<string, void> {
  const text = (rows: readonly (readonly unknown[])[]) => stringify([...rows], { cast: { string: escapeFormula } });
  yield text([REFERRAL_COLUMNS]);
  for await (const referrals of pages) {
    const rows = referrals.map(referralFields);
    yield text(rows.map((row) => REFERRAL_COLUMNS.map((column) => cellOf(row[column]))));
  }
}

async function* ndjson(pages: Pages): AsyncGenerator<string, void> {
  for await (const referrals of pages) {
    yield referrals.map((referral) => `${JSON.stringify(referralFields(referral))}\n`).join('');
  }
}

/** A cell: the elements of a list, separated by spaces, or JSON of an object. An empty one is an empty cell. */
const cellOf = (value: unknown) => (Array.isArray(value) ? value.join(' ') : isEmpty(value) ? '' : value);

/** Renders a referral by the columns of a file. */
function referralFields(referral: ExportedReferral) {
  const { id, advocateSlug: advocate_slug } = referral;
  return { id, advocate_slug, ...attributesIn(REFERRAL_FIELDS, 'file', referral) };
}
