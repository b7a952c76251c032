import { CommanderError } from 'commander';
import { InvalidField } from '../../functions/domain/errors.ts';

/** What a command cannot do, though it was called rightly. The message is one sentence that says what to do. */
export class Failure extends Error {}

/** A Ctrl-C ended a command before it was done. */
export class Interruption extends Failure {}

/** How a command that failed ends: `sentence` goes to stderr, `status` is the exit status. */
export interface Ending {
  readonly sentence: string | undefined;
  readonly status: number;
}

const FAILED = 1;
const WRONG_USAGE = 2;
/** As shells tell an end by SIGINT. */
const INTERRUPTED = 130;
const SEE_HELP = 'add --help to see how it is called.';

/** Says in one sentence why a command failed. No sentence repeats a value: it could be an e-mail or a token. */
export function endingOf(error: unknown): Ending {
  if (error instanceof CommanderError) return usageEnding(error);
  // The domain names its fields as the options are called.
  if (error instanceof InvalidField) return { sentence: `--${error.message}.`, status: WRONG_USAGE };
  if (error instanceof Interruption) return { sentence: error.message, status: INTERRUPTED };
  if (error instanceof Failure) return { sentence: error.message, status: FAILED };
  // A mistake in the code, or an item that other code wrote.
  const what = error instanceof Error ? error.name : 'unknown';
  return { sentence: `The command failed for an unexpected reason (${what}).`, status: FAILED };
}

/** Commander has written its help already; its messages repeat what was typed, and so are told in other words. */
function usageEnding({ code, exitCode, message }: CommanderError): Ending {
  if (exitCode === 0) return { sentence: undefined, status: 0 };
  return { sentence: usageSentence(code, message), status: WRONG_USAGE };
}

function usageSentence(code: string, message: string): string | undefined {
  // The flag or word that commander puts in quotes, told again only where it can be nothing but one.
  const [, word] = /'(-{0,2}[a-z][a-z-]{0,30})(?=[ '=,])/.exec(message) ?? [];
  switch (code) {
    case 'commander.help':
      return undefined;
    case 'commander.unknownOption':
      return `There is no option ${word ?? 'of that name'}: ${SEE_HELP}`;
    case 'commander.unknownCommand':
      return `There is no command ${word ?? 'of that name'}: ${SEE_HELP}`;
    case 'commander.missingMandatoryOptionValue':
      return `${word} is missing: ${SEE_HELP}`;
    case 'commander.optionMissingArgument':
      return `${word} needs a value: ${SEE_HELP}`;
    case 'commander.excessArguments':
      return `There is a word too many, which belongs to no option: ${SEE_HELP}`;
    default:
      return `The command is called in another way: ${SEE_HELP}`;
  }
}
