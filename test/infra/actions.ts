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

/** The actions on the table and its indexes, without its stream, that the policy of a function allows. */
export function allowedActions(synthesized: Synthesized, prefix: string): Set<string> {
  const [, { Properties }] = synthesized.one('AWS::IAM::Policy', prefix);
  const statements: { Action: string | string[]; Resource: unknown }[] = Object(Properties['PolicyDocument']).Statement;
  return new Set(
    statements.flatMap(({ Action, Resource }) => {
      if (JSON.stringify(Resource).includes('"StreamArn"')) return [];
      const indexes = [...JSON.stringify(Resource).matchAll(/\/index\/(\w+)/g)].map(([, index]) => ` ${index}`);
      const actions = [Action].flat().filter((action) => action.startsWith('dynamodb:'));
      return actions.flatMap((action) => (indexes.length === 0 ? [action] : indexes.map((index) => action + index)));
    }),
  );
}
