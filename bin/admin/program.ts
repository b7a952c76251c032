import type { Command } from 'commander';
import { uuidv7 } from '../../functions/domain/ids.ts';
import { newProgram, type Program } from '../../functions/domain/program.ts';
import { secondOf } from '../../functions/domain/time.ts';
import { listPrograms } from '../../functions/table/operator/lists.ts';
import { createProgram } from '../../functions/table/programs.ts';
import type { CliContext } from './context.ts';
import { collect, decimal, examples } from './options.ts';
import { many, one, withOutput } from './output.ts';

interface CreateOptions {
  readonly name: string;
  readonly siteUrl: string;
  readonly commissionPercentage?: number;
  readonly commissionMonths?: number;
  readonly attributionDays?: number;
  readonly linkParameter?: string;
  readonly allowedOrigin?: readonly string[];
}

/** Adds `program create` and `program list`. */
export function addProgramCommands(admin: Command, { clock, random, onTable, write }: CliContext): void {
  const program = admin
    .command('program')
    .description("affiliate programs: each is one merchant's")
    .addHelpText('after', examples('program list', 'program create --help'));

  program
    .command('create')
    .description('make a program')
    .requiredOption('--name <name>', "the program's name")
    .requiredOption('--site-url <url>', "the merchant's site, to which advocates' links lead")
    .option('--commission-percentage <percent>', 'commission on a referral, 0 to 100', decimal)
    .option('--commission-months <months>', 'months for which a referral earns (else without end)', decimal)
    .option('--attribution-days <days>', 'days for which a click is kept (else 90)', decimal)
    .option('--link-parameter <word>', "query parameter of advocates' links (else via)")
    .option('--allowed-origin <origin>', 'origin whose pages may send conversions; may be repeated', collect)
    .addHelpText(
      'after',
      examples(
        'program create --name "Example Shop" --site-url https://shop.example --commission-percentage 20',
        'program create --name "Example Shop" --site-url https://shop.example --commission-months 12 --json',
      ),
    )
    .action(
      withOutput(write, async (options: CreateOptions) => {
        const now = clock();
        const created = newProgram(
          {
            name: options.name,
            siteUrl: options.siteUrl,
            linkParameter: options.linkParameter ?? null,
            commissionPercentage: options.commissionPercentage ?? null,
            commissionMonths: options.commissionMonths ?? null,
            attributionDays: options.attributionDays ?? null,
            allowedOrigins: options.allowedOrigin ?? [],
          },
          uuidv7(now, random),
          secondOf(now),
        );
        await onTable((table) => createProgram(table, created));
        return one(programFields(created));
      }),
    );

  program
    .command('list')
    .description('list all programs, newest first')
    .addHelpText('after', examples('program list', 'program list --json'))
    .action(
      withOutput(write, async () => {
        const programs = await onTable(listPrograms);
        return many(
          programs.map(programFields),
          ['id', 'name', 'site_url', 'commission_percentage', 'created_at'],
          'There are no programs yet: program create makes one.',
        );
      }),
    );
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
