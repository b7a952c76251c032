import type { Writable } from 'node:stream';
import { Command } from 'commander';
import type { Random } from '../../functions/domain/ids.ts';
import type { Clock } from '../../functions/domain/time.ts';
import type { Table } from '../../functions/table/dynamodb/table.ts';
import { WrongUsage } from './errors.ts';
import type { Output } from './output.ts';
import type { Input, ServiceParts } from './secrets.ts';

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

/** The flags and the description of the option that nearly every command has. */
export const PROGRAM = ['--program <id>', 'id of the program'] as const;

/** What commander parses from `PROGRAM`. */
export interface ProgramOptions {
  readonly program: string;
}

/** How the command line is called in the project's folder. */
export const CALL = './referrals';

/** Continues an example on a new line, as a shell does. */
export const NEXT_LINE = '\\\n     ';

/** A command of commander that can also have examples. */
export class AdminCommand extends Command {
  override createCommand(name?: string): AdminCommand {
    return new AdminCommand(name);
  }

  /**
   * Adds examples to the end of the help, one command line each, and remarks below them. Their lines are not wrapped: an
   * option on a line of its own begins with `NEXT_LINE`.
   */
  examples(calls: readonly string[], remarks?: string): this {
    const lines = calls.map((call) => `  ${CALL} ${call}`);
    return this.addHelpText('after', ['', 'Examples:', ...lines, ...(remarks ? ['', remarks] : [])].join('\n'));
  }
}

/**
 * Removes typed values from a message of commander, because they may be emails or tokens. A misspelled option or command
 * stays if nothing is attached to it.
 */
export function withoutValues(message: string): string {
  return message
    .replace(/(?<=got \d+): .*(?=\n)|(?<=argument) '.*'(?= is invalid)/s, '')
    .replace(
      /(?<=unknown \w+ ')((?:--)?[a-z][a-z-]*(?==|'\n))?.*(?='\n)/s,
      (_, word: string | undefined) => word ?? '…',
    );
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
