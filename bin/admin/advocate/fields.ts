import { Option } from 'commander';
import { toAdvocate } from '../../../functions/advocates/mapping.ts';
import { type Advocate, referralLinks } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { type AdminCommand, decimal, PROGRAM, type ProgramOptions } from '../cli.ts';
import { Failure } from '../errors.ts';

/** The options that identify an advocate. */
export interface AdvocateOptions extends ProgramOptions {
  readonly advocate: string;
}

/** Adds the options that identify an advocate. `--slug` is an earlier name of `--advocate`. */
export function withAdvocate(command: AdminCommand): AdminCommand {
  return command
    .requiredOption(...PROGRAM)
    .requiredOption('--advocate <slug>', 'slug of the advocate')
    .addOption(new Option('--slug <slug>').hideHelp())
    .on('option:slug', (slug: string) => command.setOptionValue('advocate', slug));
}

/** Adds the options that `advocate create` and `advocate update` share. */
export function withFields(command: AdminCommand): AdminCommand {
  return command
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--uid <uid>', "the merchant's own id of the advocate, unique in the program")
    .option('--company-id <id>', "the merchant's id of the advocate's company")
    .option('--company <name>', "name of the advocate's company")
    .option('--commission-percentage <percent>', "own rate in percent, 0 to 100, instead of the program's", decimal);
}

/** Returns a function that renders an advocate: its attributes in the API. */
export function advocateFieldsIn(program: Program) {
  const link = referralLinks(program);
  return (advocate: Advocate) => toAdvocate(program, link, advocate).attributes;
}

/** The failure of a command because another advocate has the slug or the uid. */
export function fieldTaken(field: 'slug' | 'uid'): Failure {
  return new Failure(`Another advocate of the program has this ${field}. Choose another --${field}.`);
}
