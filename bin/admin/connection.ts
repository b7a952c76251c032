import { CONFLICT, RequestRefused, TableMissing, Unavailable } from '../../functions/domain/errors.ts';
import { openConnection } from '../../functions/table/dynamodb/connection.ts';
import type { Table } from '../../functions/table/dynamodb/table.ts';
import { CredentialsMissing, checkCredentials, RegionMissing } from '../../functions/table/operator/credentials.ts';
import { GENEROUS_LIMITS } from '../service/environment.ts';
import { Failure } from './errors.ts';
import { type Target, targetOf } from './target.ts';

/** Longest time for one request to the table, in milliseconds. */
const TIME_LIMIT = 60_000;

/**
 * Runs `work` on the table that the environment selects. Throws `Failure` if the table does not exist, does not respond
 * or rejects a request, or if AWS region or credentials are missing. Other errors of `work` pass through.
 */
export async function onTable<Result>(
  environment: NodeJS.ProcessEnv,
  work: (table: Table) => Promise<Result>,
): Promise<Result> {
  const target = await targetOf(environment);
  const connection = openConnection(target, GENEROUS_LIMITS);
  const table = connection.withLimit(TIME_LIMIT);
  try {
    if (target.endpoint === undefined) await checkCredentials(table);
    return await work(table);
  } catch (error) {
    const sentence = sentenceFor(error, target);
    throw sentence === undefined ? error : new Failure(sentence, { cause: error });
  } finally {
    connection.close();
  }
}

/** Explains a failure of the table to the operator; `undefined` for other errors. */
function sentenceFor(error: unknown, target: Target): string | undefined {
  if (error instanceof RegionMissing) {
    return 'TABLE_NAME alone means a table on AWS, but no region is set. Set AWS_REGION, or set DATA_DIR for the table of npm start.';
  }
  if (error instanceof CredentialsMissing) {
    return 'TABLE_NAME alone means a table on AWS, but there are no valid AWS credentials. Sign in to AWS or set AWS_PROFILE, or set DATA_DIR for the table of npm start.';
  }
  if (error instanceof TableMissing) return target.missing;
  if (!(error instanceof Unavailable || error instanceof RequestRefused)) return undefined;
  if (error.reason === undefined) return target.unreachable;
  if (error.reason === CONFLICT) return 'Other requests changed the same data at the same time. Run the command again.';
  return error instanceof Unavailable
    ? `DynamoDB is busy (${error.reason}). Try again later.`
    : `DynamoDB rejects the request (${error.reason}). ${target.check}`;
}
