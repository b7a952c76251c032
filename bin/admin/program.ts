import { uuidv7 } from '../../functions/domain/ids.ts';
import { newProgram, type Program, type ProgramFields } from '../../functions/domain/program.ts';
import { secondOf } from '../../functions/domain/time.ts';
import { listPrograms } from '../../functions/table/operator/lists.ts';
import { createProgram } from '../../functions/table/programs.ts';
import { type AdminCommand, type CliContext, decimal } from './cli.ts';
import { renderList, renderObject, withOutput } from './output.ts';

interface CreateOptions extends Pick<ProgramFields, 'name' | 'siteUrl' | 'linkParameter' | 'attributionDays'> {
  readonly commissionPercentage?: number;
  readonly commissionMonths?: number;
  readonly allowedOrigin?: readonly string[];
}

/** Adds `program create` and `program list`. */
export function addProgramCommands(admin: AdminCommand, { clock, random, onTable, output }: CliContext): void {
  const program = admin
    .command('program')
    .description('affiliate programs; each belongs to one merchant')
    .examples(['program list', 'program create --help']);

  program
    .command('create')
    .description('create a program')
    .requiredOption('--name <name>', 'name of the program')
    .requiredOption('--site-url <url>', "the merchant's site, the target of all referral links")
    .option('--commission-percentage <percent>', 'commission rate in percent, 0 to 100 (default: none)', decimal)
    .option('--commission-months <months>', 'months of commission per referral (default: no limit)', decimal)
    .option('--attribution-days <days>', 'days after which an unconverted click is deleted', decimal, 90)
    .option('--link-parameter <name>', 'query parameter of referral links', 'via')
    .option('--allowed-origin <origin>', 'origin whose pages may send conversions; can be repeated', collect)
    .examples([
      'program create --name "Example Shop" --site-url https://shop.example --commission-percentage 20',
      'program create --name "Example Shop" --site-url https://shop.example --commission-months 12 --json',
    ])
    .action(
      withOutput(output, async ({ allowedOrigin: allowedOrigins = [], ...options }: CreateOptions) => {
        const now = clock();
        const fields = { commissionPercentage: null, commissionMonths: null, ...options, allowedOrigins };
        const created = newProgram(fields, uuidv7(now, random), secondOf(now));
        await onTable((table) => createProgram(table, created));
        return renderObject(programFields(created));
      }),
    );

  program
    .command('list')
    .description('list all programs, newest first')
    .examples(['program list', 'program list --json'])
    .action(
      withOutput(output, async () => {
        const programs = await onTable(listPrograms);
        return renderList(
          programs.map(programFields),
          ['id', 'name', 'site_url', 'commission_percentage', 'created_at'],
          'There are no programs yet. Run `program create` to create one.',
        );
      }),
    );
}

/** Collects the values of an option that can be repeated. */
function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

function programFields(program: Program) {
  return {
    id: program.id,
    name: program.name,
    public_key: program.publicKey,
    site_url: program.siteUrl,
    link_parameter: program.linkParameter,
    commission_percentage: program.commissionPercentage,
    commission_months: program.commissionMonths,
    attribution_days: program.attributionDays,
    allowed_origins: program.allowedOrigins,
    created_at: program.createdAt,
  };
}
