import type { Writable } from 'node:stream';
import { Command, type Option } from 'commander';
import type { Random } from '../../functions/domain/ids.ts';
import type { Clock } from '../../functions/domain/time.ts';
import type { Table } from '../../functions/table/dynamodb/table.ts';
import { WrongUsage } from './errors.ts';
import type { Output } from './output.ts';
import type { Input, ServiceParts } from './secrets.ts';
import { didYouMean, suggest } from './suggestion.ts';

/** Everything that a command uses from its process. */
export interface CliContext {
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly random: Random;
  /** Connects to the table and runs `work` on it. Check all options first: wrong usage must not need a table. */
  readonly onTable: <Result>(work: (table: Table) => Promise<Result>) => Promise<Result>;
  /** Returns what the service of a table has besides it. Throws `Failure` if that is not known. */
  readonly partsOf: (table: Table) => Promise<ServiceParts>;
  readonly input: Input;
  readonly output: Output;
  readonly errors: Writable;
}

/** The option that `AdminCommand.program` adds to nearly every command. */
export interface ProgramOptions {
  readonly program: string;
}

/** Continues an example on a new line, as a shell does. */
export const NEXT_LINE = '\\\n     ';

/** A misspelled option or command. Any other argument may be an email, a name or a token. */
const OPTION_OR_COMMAND = /^--[a-z-]+(?==)|^-{0,2}[a-z-]+$/;
/** The misspelled word in a message of commander, or the misspelled value with the allowed ones. */
const MISSPELLED =
  /unknown (?:option|command) '(?<word>.*)'$|argument '(?<value>.*)' is invalid\. Allowed choices are (?<choices>.*)\.$/s;

/** The option for the slug of an advocate has another name in the commands for advocates than in all others. */
const SAME_VALUE: Readonly<Record<string, string>> = { '--slug': '--advocate', '--advocate': '--slug' };

/** A command of commander that reports unknown options before missing ones, and repeats no value in a message. */
export class AdminCommand extends Command {
  override createCommand(name?: string): AdminCommand {
    return new AdminCommand(name);
  }

  /** Commander looks for missing options first: it would report `--nmae Acme` as a missing `--name`. */
  override parseOptions(args: string[]) {
    const parsed = super.parseOptions(args);
    const hasSubcommands = this.commands.length > 0;
    if (hasSubcommands || parsed.unknown.length === 0) return parsed;
    for (const option of this.options) option.makeOptionMandatory(false);
    // Without its value, `--nmae=Acme` is similar enough to `--name` for a suggestion.
    return { ...parsed, unknown: parsed.unknown.map((argument) => argument.replace(/=.*/s, '')) };
  }

  /**
   * Commander's messages repeat arguments. A misspelled option or command stays; every other argument is removed. Then
   * the most similar word is suggested. Commander itself would suggest none for a value, and none in another case.
   */
  override error(message: string, options?: Parameters<Command['error']>[1]): never {
    const withoutValues = message
      .replace(/(?<=got \d+): .*|(?<=argument) '.*'(?= is invalid)/s, '')
      .replace(/(?<=unknown \w+ ').*(?=')/s, (argument) => OPTION_OR_COMMAND.exec(argument)?.[0] ?? '…');
    const suggestion = this.#suggestionFor(MISSPELLED.exec(message)?.groups ?? {});
    return super.error(`${withoutValues}${suggestion}`, options);
  }

  /** Suggests an option, a command or a value for a misspelled one. */
  #suggestionFor({ word, value, choices }: Readonly<Record<string, string | undefined>>): string {
    if (value !== undefined) return didYouMean(value, choices?.split(', ') ?? []);
    if (word === undefined) return '';
    const help = this.createHelp();
    const names = help.visibleCommands(this).map((command) => command.name());
    if (!word.startsWith('-')) return didYouMean(word, names) || suggest(this.#commandsWithVerb(word));
    const flagsOf = (command: Command): string[] =>
      [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)]
        .flatMap(({ long }) => long ?? [])
        .concat(command.commands.flatMap(flagsOf));
    const flag = word.replace(/=.*/s, '');
    const flags = flagsOf(this);
    const isTooEarly = this.commands.length > 0 && flags.includes(flag);
    if (isTooEarly) return '\n(Give options after the noun and the verb.)';
    const same = SAME_VALUE[flag];
    return same !== undefined && flags.includes(same) ? suggest([same]) : didYouMean(flag, flags);
  }

  /** The commands whose noun is missing. */
  #commandsWithVerb(verb: string): string[] {
    const withVerb = this.commands.filter(({ commands }) => commands.some((command) => command.name() === verb));
    return withVerb.map((noun) => `${noun.name()} ${verb}`);
  }

  /**
   * Commander itself would print the help of the root after `help` and an unknown noun, and that of the noun after
   * `help`, a noun and any verb.
   */
  override help(context: object = {}): never {
    const error = 'error' in context;
    if (error && this.args[0] === 'help') this.error(`error: unknown command '${this.args[1]}'`);
    const [help, noun, verb] = this.parent?.args.filter((argument) => !argument.startsWith('-')) ?? [];
    if (error || help !== 'help' || noun !== this.name() || verb === undefined || this.commands.length === 0) {
      return super.help({ error });
    }
    const command = this.commands.find((candidate) => candidate.name() === verb);
    return command ? command.help() : this.error(`error: unknown command '${verb}'`);
  }

  /** Marks required options in the help: commander itself shows them like all others. */
  override addOption(option: Option): this {
    if (option.mandatory) option.description += ' (required)';
    return super.addOption(option);
  }

  /** Adds the option `--program`. */
  program(): this {
    return this.requiredOption('--program <id>', 'id of the program');
  }

  /** Adds the option `--no-<name>`, which clears a field. Of it and `--<name>`, commander would use the last one. */
  clearable(name: string, description: string): this {
    this.option(`--no-${name}`, description);
    const given = new Set<string>();
    for (const each of [name, `no-${name}`]) {
      this.on(`option:${each}`, () => {
        given.add(each);
        if (given.size > 1) this.error(`error: option '--no-${name}' cannot be used with option '--${name}'`);
      });
    }
    return this;
  }

  /**
   * Adds examples to the end of the help, one command line each, and remarks below them. Their lines are not wrapped: an
   * option on a line of its own begins with `NEXT_LINE`.
   */
  examples(calls: readonly string[], remarks?: string): this {
    const lines = calls.map((call) => `  npm run --silent admin -- ${call}`);
    return this.addHelpText('after', ['', 'Examples:', ...lines, ...(remarks ? ['', remarks] : [])].join('\n'));
  }
}

/** Parses a decimal number. Returns `NaN` for any other text, which every range check rejects. */
export function decimal(text: string): number {
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
}

/** Collects the values of an option that can be repeated. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

/** Returns `null` for an option with `--no-`, which clears a value. */
export function orNull<Value>(value: Value | false): Value | null {
  return value === false ? null : value;
}

/** Throws `WrongUsage` if a command that changes something was called without any change. */
export function assertAnyOption(changes: object): void {
  if (Object.keys(changes).length > 0) return;
  throw new WrongUsage('Give at least one option with a new value. Run with --help to see the options.');
}
