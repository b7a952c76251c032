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

/** The parts of a request that name a key. */
interface KeyedInput {
  readonly Key?: { readonly pk: string };
  readonly Item?: { readonly pk: string };
}

/** Returns the partitions of the table that requests query or write, without its indexes, by action. */
function partitionsOf(requests: readonly Request[]): [action: string, partition: string][] {
  return requests.flatMap(([command, input]): [string, string][] => {
    const name = command.replace(/Command$/, '');
    const { TransactItems = [], IndexName, Key, Item, ExpressionAttributeValues } = Object(input);
    if (name === 'Query') return IndexName ? [] : [['dynamodb:Query', String(ExpressionAttributeValues[':pk'])]];
    if (name === 'Put' || name === 'Update') return [[`dynamodb:${name}Item`, (Key ?? Item).pk]];
    const writes: [string, KeyedInput][] = TransactItems.flatMap(Object.entries);
    // The condition on leading keys may see all keys of a transaction.
    const all = writes.map(([, write]) => write.Key?.pk ?? write.Item?.pk ?? '');
    return writes.flatMap(([kind]) => all.map((pk): [string, string] => [`dynamodb:${kind}Item`, pk]));
  });
}

interface PolicyStatement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

function statementsOf(synthesized: Synthesized, prefix: string): readonly PolicyStatement[] {
  const [, { Properties }] = synthesized.one('AWS::IAM::Policy', prefix);
  return Object(Properties['PolicyDocument']).Statement;
}

/** Returns the queries and writes of requests that the policy of a function forbids: actions and partitions. */
export function forbiddenOf(synthesized: Synthesized, prefix: string, requests: readonly Request[]) {
  const statements = statementsOf(synthesized, prefix).filter(
    ({ Resource }) => !/\/index\/|"StreamArn"/.test(JSON.stringify(Resource)),
  );
  return partitionsOf(requests).filter(
    ([action, partition]) =>
      !statements.some(({ Action, Condition }) => {
        const patterns = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? ['*'];
        return [Action].flat().includes(action) && patterns.some((pattern) => isLike(partition, pattern));
      }),
  );
}

/** As `StringLike` of IAM. */
const isLike = (text: string, pattern: string) =>
  new RegExp(`^${pattern.replaceAll('?', '.').replaceAll('*', '.*')}$`).test(text);

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
