import type { Command } from 'commander';
import { advocateResource } from '../../functions/advocates/resource.ts';
import { type Advocate, newAdvocate, referralLinks } from '../../functions/domain/advocate.ts';
import type { Program } from '../../functions/domain/program.ts';
import { parseSlug } from '../../functions/domain/slug.ts';
import { type Milliseconds, secondOf } from '../../functions/domain/time.ts';
import { uuidv7 } from '../../functions/domain/uuid.ts';
import {
  createAdvocate,
  listAdvocates,
  SlugTaken,
  setAdvocateActive,
  UidTaken,
} from '../../functions/table/advocates.ts';
import type { Table } from '../../functions/table/table.ts';
import { Failure } from './errors.ts';
import { advocateWith, programWith } from './lookup.ts';
import { decimal, examples, PROGRAM_OPTION, type ProgramOptions } from './options.ts';
import { answering, many, one } from './output.ts';
import type { Session } from './session.ts';
import { slugCandidates } from './slug.ts';

interface AdvocateOptions extends ProgramOptions {
  readonly slug: string;
}

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

/** Adds `advocate create`, `list`, `deactivate` and `activate`. */
export function addAdvocateCommands(admin: Command, session: Session): void {
  const advocate = admin
    .command('advocate')
    .description('advocates: the affiliates of a program')
    .addHelpText('after', examples('advocate list --program ID', 'advocate create --help'));
  addCreate(advocate, session);
  addList(advocate, session);
  addSwitch(advocate, session, 'deactivate', 'end new clicks and referrals of an advocate', false);
  addSwitch(advocate, session, 'activate', 'take a deactivation back', true);
}

function addCreate(advocate: Command, { clock, random, onTable, write }: Session): void {
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
      answering(write, async (options: CreateOptions) => {
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
        return onTable(async (table, deadline) => {
          const program = await programWith(options.program, table, deadline);
          const created = await store(table, program, wanted, others, deadline);
          return one(factsIn(program)(created));
        });
      }),
    );
}

/** Stores an advocate, where its slug is taken under the first of `others` that is free. Throws `Failure`. */
async function store(
  table: Table,
  program: Program,
  wanted: Advocate,
  others: readonly string[],
  deadline: Milliseconds,
): Promise<Advocate> {
  for (const slug of [wanted.slug, ...others]) {
    const advocate = { ...wanted, slug };
    try {
      await createAdvocate(table, program.id, advocate, deadline);
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

function addList(advocate: Command, { onTable, write }: Session): void {
  advocate
    .command('list')
    .description('list the advocates of a program, newest first')
    .requiredOption(...PROGRAM_OPTION)
    .addHelpText('after', examples('advocate list --program ID', 'advocate list --program ID --json'))
    .action(
      answering(write, (options: ProgramOptions) =>
        onTable(async (table, deadline) => {
          const program = await programWith(options.program, table, deadline);
          const advocates = await listAdvocates(table, program.id, deadline);
          return many(
            advocates.map(factsIn(program)),
            ['slug', 'email', 'first_name', 'last_name', 'uid', 'active', 'created_at'],
            'The program has no advocates yet: advocate create makes one.',
          );
        }),
      ),
    );
}

function addSwitch(
  advocate: Command,
  { clock, onTable, write }: Session,
  verb: string,
  description: string,
  active: boolean,
): void {
  advocate
    .command(verb)
    .description(description)
    .requiredOption(...PROGRAM_OPTION)
    .requiredOption('--slug <slug>', "the advocate's name in links")
    .addHelpText('after', examples(`advocate ${verb} --program ID --slug jane-doe`))
    .action(
      answering(write, (options: AdvocateOptions) => {
        const slug = parseSlug('slug', options.slug);
        return onTable(async (table, deadline) => {
          const program = await programWith(options.program, table, deadline);
          const found = await advocateWith(slug, '--slug', program, table, deadline);
          const now = secondOf(clock());
          const changed = await setAdvocateActive(table, program.id, found, active, now, deadline);
          return one(factsIn(program)(changed));
        });
      }),
    );
}

/** What is told of advocates of a program: their attributes as in the API, and what only the operator sees. */
function factsIn(program: Program) {
  const link = referralLinks(program);
  return (advocate: Advocate) => ({
    ...advocateResource(program, link, advocate).attributes,
    commission_percentage: advocate.commissionPercentage,
    active: advocate.active,
  });
}
