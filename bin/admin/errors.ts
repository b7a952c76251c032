import { CommanderError } from 'commander';
import { InvalidField } from '../../functions/domain/errors.ts';

/** A command was called correctly but cannot succeed. The message says what is wrong, then what to do. */
export class Failure extends Error {
  readonly status: number = 1;
}

/** A command was called with missing or invalid options. */
export class InvalidArguments extends Failure {
  override readonly status = 2;
}

/** Ctrl-C ended a command early. Shells use the same status for a process that SIGINT ended. */
export class Interruption extends Failure {
  override readonly status = 130;
}

/** Maps an error to an exit status and a sentence for stderr. No sentence repeats a value, such as an email or a token. */
export function toExit(error: unknown): { readonly status: number; readonly sentence?: string } {
  // Commander has written its message, or the help.
  if (error instanceof CommanderError) return { status: error.exitCode === 0 ? 0 : 2 };
  if (error instanceof InvalidField) {
    // The message starts with the name of the field in the API.
    const message = error.message.replace(/^\S+/, (field) => `--${field.replaceAll('_', '-')}`);
    return { status: 2, sentence: `${message}.` };
  }
  if (error instanceof Failure) return { status: error.status, sentence: error.message };
  // A bug, or a table item that this version cannot read.
  const name = error instanceof Error ? error.name : 'unknown';
  return { status: 1, sentence: `The command failed unexpectedly (${name}). Run doctor to see if the service works.` };
}
