import type { Item } from '../../../functions/kernel/dynamodb/item.ts';

// The expressions that the capabilities send, evaluated on plain JavaScript values. Anything else throws `Unsupported`,
// so that the fake never answers a question that it does not understand.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html

/** The fake lacks something that the code under test has started to use. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}

/** The parameters of a request to which the placeholders of its expressions refer. */
export interface Placeholders {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}

type Test = (item: Item, placeholders: Placeholders) => boolean;

const NAME = String.raw`#?\w+(?:\.\w+)*`;
const EXISTENCE = new RegExp(`^attribute_(not_)?exists\\((${NAME})\\)$`);
const COMPARISON = new RegExp(`^(${NAME}) (=|<|<=|>|>=|IN) \\(?(:\\w+(?:, :\\w+)*)\\)?$`);
const ASSIGNMENT = new RegExp(`^(${NAME}) = (?:if_not_exists\\((${NAME}), (:\\w+)\\)|(:\\w+))$`);
const UPDATE = /^(?:SET (.+?))? ?(?:REMOVE (.+?))? ?(?:ADD (.+))?$/;
const KEY_CONDITION = /^#?\w+ = (:\w+)(?: AND #?\w+ (?:BETWEEN (:\w+) AND (:\w+)|> (:\w+)))?$/;

/** Remembers what was compiled: there are few expressions, and each is sent a million times. */
function remembered<Result>(compile: (text: string) => Result): (text: string) => Result {
  const cache = new Map<string, Result>();
  return (text) => {
    const result = cache.get(text) ?? compile(text);
    cache.set(text, result);
    return result;
  };
}

/** Splits a text at a separator outside parentheses. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  for (const piece of text.split(separator)) {
    const open = parts.at(-1) ?? '';
    if (open.split('(').length > open.split(')').length) parts.push(`${parts.pop()}${separator}${piece}`);
    else parts.push(piece);
  }
  return parts;
}

/** Returns the attribute at a path such as `#program.version`; `undefined` if the item lacks it. */
function attribute(item: Item, path: string, { ExpressionAttributeNames: names }: Placeholders): unknown {
  return path.split('.').reduce<unknown>((value, part) => {
    const name = part.startsWith('#') ? names?.[part] : part;
    if (name === undefined) throw new Unsupported(`The name ${part} is not defined`);
    return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }, item);
}

/** A negative number, zero or a positive one; `NaN` for values of different types, which DynamoDB does not compare. */
function compare(one: unknown, other: unknown): number {
  if (typeof one === 'object' || typeof other === 'object') throw new Unsupported('Cannot compare lists and maps');
  if (typeof one !== typeof other) return Number.NaN;
  return typeof one === 'number'
    ? one - Number(other)
    : Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}

/** The operators, by the order of the attribute and each of the values. */
const OPERATORS: Readonly<Record<string, (...orders: readonly number[]) => boolean>> = {
  '=': (order = 1) => order === 0,
  '<': (order = 1) => order < 0,
  '<=': (order = 1) => order <= 0,
  '>': (order = -1) => order > 0,
  '>=': (order = -1) => order >= 0,
  IN: (...orders) => orders.includes(0),
};

function compile(text: string): Test {
  const choices = split(text, ' OR ').map((choice) => split(choice, ' AND ').map(leaf));
  return (item, given) => choices.some((tests) => tests.every((test) => test(item, given)));
}

/** Compiles a condition or a filter. */
export const condition = remembered(compile);

function leaf(text: string): Test {
  if (text.startsWith('(') && text.endsWith(')')) return compile(text.slice(1, -1));
  const [existence, not, name = ''] = EXISTENCE.exec(text) ?? [];
  if (existence) return (item, given) => (attribute(item, name, given) === undefined) === (not !== undefined);
  const [comparison, path = '', operator = '', values = ''] = COMPARISON.exec(text) ?? [];
  const holds = OPERATORS[operator];
  if (!comparison || !holds) throw new Unsupported(`The condition ${text}`);
  const names = values.split(', ');
  return (item, given) =>
    holds(...names.map((value) => compare(attribute(item, path, given), given.ExpressionAttributeValues?.[value])));
}

/** Compiles an update. The result returns the changed item. */
export const update = remembered((text) => {
  const [isKnown, set, remove, add] = UPDATE.exec(text) ?? [];
  if (!isKnown) throw new Unsupported(`The update ${text}`);
  const removals = remove?.split(', ') ?? [];
  const assignments = (set ? split(set, ', ') : []).map((part) => {
    const [assignment, target = '', kept, otherwise, value = otherwise ?? ''] = ASSIGNMENT.exec(part) ?? [];
    if (!assignment) throw new Unsupported(`The assignment ${part}`);
    return { target, kept, value };
  });
  const additions = add?.split(', ').map((part) => part.split(' ')) ?? [];
  return (old: Item, given: Placeholders): Item => {
    const item: Record<string, unknown> = { ...old };
    const nameOf = (token: string) => given.ExpressionAttributeNames?.[token] ?? token;
    for (const { target, kept, value } of assignments) {
      const known = kept === undefined ? undefined : attribute(old, kept, given);
      item[nameOf(target)] = known ?? given.ExpressionAttributeValues?.[value];
    }
    for (const name of removals) delete item[nameOf(name)];
    for (const [name = '', value = ''] of additions) {
      const added = given.ExpressionAttributeValues?.[value];
      if (typeof added !== 'number') throw new Unsupported('An addition that is not a number');
      item[nameOf(name)] = Number(old[nameOf(name)] ?? 0) + added;
    }
    return item;
  };
});

/** Reads the key condition of a query: a partition, and bounds of the sort key. */
export function keyRange(text: string, { ExpressionAttributeValues: values = {} }: Placeholders) {
  const [, partition, low, high, after] = KEY_CONDITION.exec(text) ?? [];
  if (partition === undefined) throw new Unsupported(`The key condition ${text}`);
  const bound = (name: string | undefined) => (name === undefined ? undefined : String(values[name]));
  // The key of the item follows the sort key.
  const lowest = after === undefined ? bound(low) : `${bound(after)}\n\uffff`;
  return { partition: String(values[partition]), low: lowest, high: bound(high) };
}
