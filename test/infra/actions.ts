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

/** Runs `work`, and returns the actions that the table's requests needed meanwhile. */
export async function actionsDuring(table: TestTable, work: () => Promise<unknown>): Promise<Set<string>> {
  const actions = new Set<string>();
  const name = 'record actions';
  table.client.middlewareStack.add(
    (next, context) => async (args: CommandArguments) => {
      for (const action of actionsOf(String(context['commandName']), args.input)) actions.add(action);
      return next(args as never);
    },
    { step: 'initialize', name, priority: 'high' },
  );
  try {
    await work();
    return actions;
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
