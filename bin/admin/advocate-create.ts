import type { Command } from 'commander';
import { type Advocate, newAdvocate } from '../../functions/domain/advocate.ts';
import { uuidv7 } from '../../functions/domain/ids.ts';
import type { Program } from '../../functions/domain/program.ts';
import { secondOf } from '../../functions/domain/time.ts';
import { createAdvocate, SlugTaken, UidTaken } from '../../functions/table/advocates.ts';
import type { Table } from '../../functions/table/table.ts';
import { advocateFieldsIn } from './advocate-fields.ts';
import type { CliContext } from './context.ts';
import { Failure } from './errors.ts';
import { programWith } from './lookup.ts';
import { decimal, examples, PROGRAM_OPTION, type ProgramOptions } from './options.ts';
import { one, withOutput } from './output.ts';
import { slugCandidates } from './slug.ts';

interface CreateOptions extends ProgramOptions {
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly slug?: string;
  readonly uid?: string;
  readonly companyId?: string;
  readonly company?: string;
  readonly commissionPercentage?: number;
}

/** Adds `advocate create`. */
export function addAdvocateCreate(advocate: Command, { clock, random, onTable, write }: CliContext): void {
  advocate
    .command('create')
    .description('make an advocate')
    .requiredOption(...PROGRAM_OPTION)
    .requiredOption('--email <address>', "the advocate's e-mail address")
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--slug <slug>', 'name in links (else made of the names, or by chance)')
    .option('--uid <uid>', "the merchant's own id of the advocate, unique in the program")
    .option('--company-id <id>', "the merchant's id of the advocate's organisation")
    .option('--company <name>', "name of the advocate's organisation")
    .option('--commission-percentage <percent>', "own rate, 0 to 100 (else the program's)", decimal)
    .addHelpText(
      'after',
      examples(
        'advocate create --program ID --email jane@example.com --first-name Jane --last-name Doe',
        'advocate create --program ID --email jane@example.com --slug jane --uid 4711 --json',
      ),
    )
    .action(
      withOutput(write, async (options: CreateOptions) => {
        const now = clock();
        const firstName = options.firstName ?? null;
        const lastName = options.lastName ?? null;
        const [slug = '', ...others] =
          options.slug === undefined ? slugCandidates(firstName, lastName, random) : [options.slug];
        const fields = {
          email: options.email,
          firstName,
          lastName,
          slug,
          uid: options.uid ?? null,
          companyId: options.companyId ?? null,
          company: options.company ?? null,
          commissionPercentage: options.commissionPercentage ?? null,
        };
        const wanted = newAdvocate(fields, uuidv7(now, random), secondOf(now));
        return onTable(async (table) => {
          const program = await programWith(options.program, table);
          const created = await store(table, program, wanted, others);
          return one(advocateFieldsIn(program)(created));
        });
      }),
    );
}

/** Stores an advocate, where its slug is taken under the first of `others` that is free. Throws `Failure`. */
async function store(table: Table, program: Program, wanted: Advocate, others: readonly string[]): Promise<Advocate> {
  for (const slug of [wanted.slug, ...others]) {
    const advocate = { ...wanted, slug };
    try {
      await createAdvocate(table, program.id, advocate);
      return advocate;
    } catch (error) {
      if (error instanceof UidTaken) {
        throw new Failure('Another advocate of the program has this uid: give another one with --uid.');
      }
      if (!(error instanceof SlugTaken)) throw error;
    }
  }
  throw new Failure('Another advocate of the program has this slug: give another one with --slug.');
}
