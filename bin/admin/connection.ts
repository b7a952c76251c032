import { Unavailable } from '../../functions/domain/errors.ts';
import { type Clock, type Milliseconds, milliseconds } from '../../functions/domain/time.ts';
import { openTable, type Table } from '../../functions/table/table.ts';
import { UNHURRIED } from '../local/call-limits.ts';
import { Failure } from './errors.ts';
import { type Target, targetOf } from './target.ts';

/** Longest time for a command, or for each step of one that takes long, in milliseconds. */
const TIME_LIMIT = 60_000;
/** Longest time for AWS credentials: outside AWS, the SDK asks an address that nothing may answer at. */
const CREDENTIALS_LIMIT = 5000;

/**
 * Works on the table that the environment names. Throws `Failure` with one clear sentence where there is no such
 * table, no way to it or no leave to use it; other errors of the work pass through.
 */
export async function onTable<Result>(
  environment: NodeJS.ProcessEnv,
  clock: Clock,
  work: (table: Table, deadline: Milliseconds, stepDeadline: () => Milliseconds) => Promise<Result>,
): Promise<Result> {
  const place = await targetOf(environment);
  const table = openTable(place, UNHURRIED);
  const stepDeadline = () => milliseconds(clock() + TIME_LIMIT);
  try {
    if (place.endpoint === undefined) await signIn(table);
    return await work(table, stepDeadline(), stepDeadline);
  } catch (error) {
    throw explained(error, place);
  } finally {
    table.client.destroy();
  }
}

/** Finds region and credentials before the first request, so that what is missing can be told apart. */
async function signIn(table: Table): Promise<void> {
  const { region, credentials } = table.client.config;
  await region().catch((cause: unknown) => {
    throw new Failure(
      'TABLE_NAME alone means a table on AWS, but no region is set: set AWS_REGION, or set DATA_DIR for the table of npm start.',
      { cause },
    );
  });
  const missing = new Failure(
    'TABLE_NAME alone means a table on AWS, but there are no valid AWS credentials: sign in to AWS or set AWS_PROFILE, or set DATA_DIR for the table of npm start.',
  );
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(missing), CREDENTIALS_LIMIT);
    credentials()
      .then(
        () => resolve(),
        () => reject(missing),
      )
      .finally(() => clearTimeout(timer));
  });
}

/** Says what a failure of the SDK means at this place. Its errors are told apart by name: only `table/` knows the SDK. */
function explained(error: unknown, place: Target): unknown {
  const cause = error instanceof Unavailable ? error.cause : error;
  const refusal = refusalOf(cause);
  const sentence = (text: string) => new Failure(text, { cause: error });
  if (refusal === 'ResourceNotFoundException') return sentence(place.missing);
  if (error instanceof Unavailable) {
    return sentence(refusal ? `DynamoDB is busy (${refusal}): try again later.` : place.unreachable);
  }
  if (refusal) return sentence(`DynamoDB refuses the request (${refusal}): ${place.check}`);
  // Something answers there, but in no way that the SDK can read.
  return isFromSdk(error) ? sentence(place.unreachable) : error;
}

/** The name that DynamoDB gives its refusal, or `undefined` where the error is no refusal of DynamoDB. */
function refusalOf(error: unknown): string | undefined {
  // The SDK calls an answer that names no error "Unknown" or "UnknownError".
  return isFromSdk(error) && '$fault' in error && !error.name.startsWith('Unknown') ? error.name : undefined;
}

function isFromSdk(error: unknown): error is Error {
  return error instanceof Error && '$metadata' in error;
}
