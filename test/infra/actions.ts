import type { TestTable } from '../support/table.ts';
import type { Synthesized } from './synthesized.ts';

interface CommandArguments {
  readonly input: object;
}

/** Returns the IAM actions that a command needs; a query with the name of its index. */
function actionsOf(command: string, input: object): string[] {
  const name = command.replace(/Command$/, '');
  if (name === 'Query' && 'IndexName' in input) return [`dynamodb:Query ${input.IndexName}`];
  const writes = 'TransactItems' in input && Array.isArray(input.TransactItems) ? input.TransactItems : undefined;
  return (
    writes?.flatMap((write: object) => Object.keys(write).map((kind) => `dynamodb:${kind}Item`)) ?? [`dynamodb:${name}`]
  );
}

/** A request to the table: the name of its command, and its input. */
type Request = readonly [command: string, input: object];

/** Returns the actions that requests to the table need. */
export const actionsOfAll = (requests: readonly Request[]) =>
  new Set(requests.flatMap((request) => actionsOf(...request)));

/** Runs `work`, and returns the actions that the table's requests needed meanwhile. */
export const actionsDuring = async (table: TestTable, work: () => Promise<unknown>): Promise<Set<string>> =>
  actionsOfAll(await requestsDuring(table, work));

/** Runs `work`, and returns the requests to the table meanwhile. */
export async function requestsDuring(table: TestTable, work: () => Promise<unknown>): Promise<Request[]> {
  const requests: Request[] = [];
  const name = 'record requests';
  table.client.middlewareStack.add(
    (next, context) => async (args: CommandArguments) => {
      requests.push([String(context['commandName']), args.input]);
      return next(args as never);
    },
    { step: 'initialize', name, priority: 'high' },
  );
  try {
    await work();
    return requests;
  } finally {
    table.client.middlewareStack.remove(name);
  }
}

/** Returns the partitions of the table that requests query, without its indexes. */
export const queriedPartitions = (requests: readonly Request[]): string[] =>
  requests.flatMap(([command, input]) =>
    command === 'QueryCommand' && !('IndexName' in input)
      ? [String(Object(input).ExpressionAttributeValues[':pk'])]
      : [],
  );

interface PolicyStatement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

function statementsOf(synthesized: Synthesized, prefix: string): readonly PolicyStatement[] {
  const [, { Properties }] = synthesized.one('AWS::IAM::Policy', prefix);
  return Object(Properties['PolicyDocument']).Statement;
}

/** True for a partition of the table that the policy of a function allows to query. */
export function isQueryable(synthesized: Synthesized, prefix: string, partition: string): boolean {
  const limited = statementsOf(synthesized, prefix).filter(({ Action }) => [Action].flat().includes('dynamodb:Query'));
  const patterns = limited.flatMap(
    ({ Condition }) => Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? [],
  );
  return patterns.some((pattern) =>
    new RegExp(`^${pattern.replaceAll('?', '.').replaceAll('*', '.*')}$`).test(partition),
  );
}

/** The actions on the table and its indexes, without its stream, that the policy of a function allows. */
export function allowedActions(synthesized: Synthesized, prefix: string): Set<string> {
  return new Set(
    statementsOf(synthesized, prefix).flatMap(({ Action, Resource }) => {
      if (JSON.stringify(Resource).includes('"StreamArn"')) return [];
      const indexes = [...JSON.stringify(Resource).matchAll(/\/index\/(\w+)/g)].map(([, index]) => ` ${index}`);
      const actions = [Action].flat().filter((action) => action.startsWith('dynamodb:'));
      return actions.flatMap((action) => (indexes.length === 0 ? [action] : indexes.map((index) => action + index)));
    }),
  );
}
