import { Option } from 'commander';
import { toAdvocate } from '../../../functions/advocates/mapping.ts';
import { type Advocate, type AdvocateFields, referralLinks } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { findAdvocate } from '../../../functions/table/advocates.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import { type AdminCommand, decimal, jsonOrText } from '../cli.ts';
import { Failure } from '../errors.ts';

/** What commander parses from `--advocate`. */
export interface AdvocateOptions {
  readonly advocate: string;
}

/** Adds a command with the options `--program` and `--advocate`, whose earlier name is `--slug`. */
export function advocateCommand(advocate: AdminCommand, name: string, description: string): AdminCommand {
  const command = advocate
    .programCommand(name, description)
    .requiredOption('--advocate <slug>', 'slug of the advocate');
  return command
    .addOption(new Option('--slug <slug>').hideHelp())
    .on('option:slug', (slug: string) => command.setOptionValue('slug', undefined).setOptionValue('advocate', slug));
}

type OptionalField = keyof Omit<AdvocateFields, 'email' | 'slug'>;
type FieldOption = readonly [flags: string, description: string, parse?: (text: string) => unknown];

/** The options of the optional fields. Their values are checked by the list of fields. */
const FIELD_OPTIONS: Readonly<Record<OptionalField, FieldOption>> = {
  firstName: ['--first-name <name>', 'first name'],
  lastName: ['--last-name <name>', 'last name'],
  uid: ['--uid <uid>', "the merchant's own id of the advocate, unique in the program"],
  companyId: ['--company-id <id>', "the merchant's id of the advocate's company"],
  company: ['--company <name>', "name of the advocate's company"],
  commissionPercentage: [
    '--commission-percentage <percent>',
    "own rate in percent, 0 to 100, instead of the program's",
    decimal,
  ],
  metadata: ['--metadata <json>', `fields of your own, such as '{"tier":"gold"}'`, jsonOrText],
};

/** Adds the options that `advocate create` and `advocate update` share. */
export function withFields(command: AdminCommand): AdminCommand {
  for (const [flags, description, parse = String] of Object.values(FIELD_OPTIONS)) {
    command.option(flags, description, parse);
  }
  return command;
}

/** Adds the options that remove the optional fields. */
export function withRemovals(command: AdminCommand): AdminCommand {
  for (const [flags] of Object.values(FIELD_OPTIONS)) {
    const [name = ''] = flags.slice('--'.length).split(' ');
    command.option(`--no-${name}`, `remove the ${name.replaceAll('-', ' ')}`);
  }
  return command;
}

/** Finds the advocate with the slug in `--advocate`. Throws `Failure` if the program has no such advocate. */
export async function requireAdvocate(slug: string, program: Program, table: Table): Promise<Advocate> {
  const advocate = await findAdvocate(table, program.id, slug);
  if (!advocate) throw advocateUnknown();
  return advocate;
}

/** The failure of a command whose advocate does not exist. */
export function advocateUnknown(): Failure {
  return new Failure(
    'No advocate of the program has the slug in --advocate. Run `advocate list` to see its advocates.',
  );
}

/** Returns a function that renders an advocate: its attributes in the API. */
export function advocateFieldsIn(program: Program) {
  const link = referralLinks(program);
  return (advocate: Advocate) => toAdvocate(program, link, advocate).attributes;
}
