import type { Writable } from 'node:stream';
import { Command } from 'commander';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { findProgram } from '../../functions/kernel/accounts/table/programs.ts';
import type { Table } from '../../functions/kernel/dynamodb/table.ts';
import { isUuidv7, type Random } from '../../functions/kernel/ids.ts';
import { exactNumbers } from '../../functions/kernel/json.ts';
import type { ParameterStoreOptions } from '../../functions/kernel/secrets/parameter-store.ts';
import type { Clock } from '../../functions/kernel/time.ts';
import { Failure } from './errors.ts';
import { type Output, type Rendered, wantsJson } from './output.ts';
import type { ServiceAccess } from './secrets.ts';

export interface Input extends AsyncIterable<string | Uint8Array> {
  readonly isTTY?: boolean;
}

export interface CliContext {
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly random: Random;
  /** Resolves after a number of milliseconds. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly onTable: <Result>(work: (table: Table) => Promise<Result>) => Promise<Result>;
  /** Throws `Failure` if the service of the table is not known. */
  readonly serviceAccess: (table: Table) => Promise<ServiceAccess>;
  /** Leads to the parameters of a deployment; `undefined` unless the table is on AWS. */
  readonly deployment: (table: Table) => Promise<ParameterStoreOptions | undefined>;
  readonly input: Input;
  readonly output: Output;
  readonly errors: Writable;
}

export const PROGRAM = ['--program <id>', 'id of the program'] as const;
export type ProgramOptions = { readonly program: string };

export type OnProgram<Result> = (on: { readonly program: Program; readonly table: Table }) => Promise<Result>;
export type ProgramWork = OnProgram<Rendered>;

export const CALL = './referrals';

/** Continues an example on a new line, as a shell does. */
export const NEXT_LINE = '\\\n     ';

/** A command of commander that can also have examples, work on a program, and print a result. */
export class AdminCommand extends Command {
  readonly #context: CliContext;
  #calls: readonly string[] | undefined;
  #remarks = '';

  constructor(context: CliContext, name?: string) {
    super(name);
    this.#context = context;
    this.addHelpText('after', () => {
      const lines = (this.#calls ?? this.#usualCalls()).map((call) => `  ${CALL} ${call}`);
      return ['', 'Examples:', ...lines, ...(this.#remarks ? ['', this.#remarks] : [])].join('\n');
    });
  }

  override createCommand(name?: string): AdminCommand {
    return new AdminCommand(this.#context, name);
  }

  programCommand(name: string, description: string): AdminCommand {
    return this.command(name)
      .description(description)
      .requiredOption(...PROGRAM);
  }

  /** Sets the examples at the end of the help (default: the command with its required options) and the remarks below. */
  examples(calls: readonly string[], remarks = this.#remarks): this {
    this.#calls = calls;
    return this.remarks(remarks);
  }

  remarks(remarks: string): this {
    this.#remarks = remarks;
    return this;
  }

  #usualCalls(): string[] {
    const [verb] = this.commands;
    if (verb) return [`${this.name()} ${verb.name()} --help`];
    const required = this.options
      .filter(({ mandatory }) => mandatory)
      .map(({ flags }) => flags.replace(/<.*>/, (name) => name.slice(1, -1).replace('-', '_').toUpperCase()));
    const call = [this.parent?.name(), this.name(), ...required].join(' ');
    return [call, `${call} --json`];
  }

  /** Sets the action: writes what `run` returns, as JSON with `--json`, else as text. Options with `--no-` are `null`. */
  prints<Options extends object>(run: (options: Options) => Promise<Rendered>): this {
    return this.action(async () => {
      for (const [name, value] of Object.entries(this.opts())) if (value === false) this.setOptionValue(name, null);
      this.print(await run(this.opts<Options>()));
    });
  }

  /** Writes a result, as JSON with `--json`, else as text. Throws its failure. */
  print({ json, text, failure }: Rendered): void {
    const { output } = this.#context;
    // Some terminals report 0 columns if they do not know their width.
    output.write(`${wantsJson(this) ? JSON.stringify(exactNumbers(json)) : text(output.columns || Infinity)}\n`);
    if (failure) throw failure;
  }

  /** Sets the action of a `programCommand`. `prepare` checks the options, which needs no table, and returns the work. */
  onProgram<Options extends object>(prepare: (options: Options) => ProgramWork | Promise<ProgramWork>): this {
    return this.prints(async (options: Options & ProgramOptions) =>
      onProgram(this.#context, options, await prepare(options)),
    );
  }
}

/** Runs `work` on the program in `--program`. Throws `Failure` if it does not exist. */
export function onProgram<Result>(
  { onTable }: Pick<CliContext, 'onTable'>,
  { program: id }: ProgramOptions,
  work: OnProgram<Result>,
): Promise<Result> {
  return onTable(async (table) => work({ program: await requireProgram(id, table), table }));
}

export const UNKNOWN_PROGRAM = 'No program has the id in --program. Run `program list` to see all programs.';

/** Finds the program with the id in `--program`. Throws `Failure` if it does not exist. */
export async function requireProgram(id: string, table: Table): Promise<Program> {
  const lower = id.toLowerCase();
  // Invalid ids are not looked up, because DynamoDB limits the length of keys.
  const program = isUuidv7(lower) ? await findProgram(table, lower) : undefined;
  if (!program) throw new Failure(UNKNOWN_PROGRAM);
  return program;
}

/** Removes values from a message of commander: they may be emails or tokens. A misspelled option or command stays. */
export function withoutValues(message: string): string {
  return message
    .replace(/(?<=got \d+): .*(?=\n)|(?<=argument) '.*'(?= is invalid)/s, '')
    .replace(/(?<=unknown \w+ ')((?:--)?[a-z][a-z-]*(?==|'\n))?.*(?='\n)/s, (_, word?: string) => word ?? '…');
}

const MAX_LINE = 1000;

/** Reads one line. Returns `''` if there is nothing, several lines, or too long a line. A terminal shows `question`. */
export async function readLine({ input, errors }: CliContext, question: string): Promise<string> {
  if (input.isTTY) errors.write(question);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of input) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    // A terminal does not end its input, but sends each line as soon as it is complete.
    if (text.includes('\n') || text.length > MAX_LINE) break;
  }
  const line = text.trim();
  return line.length <= MAX_LINE && !/[\r\n]/.test(line) ? line : '';
}
