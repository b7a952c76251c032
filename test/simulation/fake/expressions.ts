import type { Item } from '../../../functions/table/dynamodb/item.ts';

// The expressions that `functions/table` sends, evaluated on plain JavaScript values. Anything else throws `Unsupported`,
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
const COMPARISON = new RegExp(`^(${NAME}) (=|<|<=|>|>=) (:\\w+)$`);
const BETWEEN = new RegExp(`^(${NAME}) BETWEEN (:\\w+), (:\\w+)$`);
const IN = new RegExp(`^(${NAME}) IN \\((:[^()]*)\\)$`);
const ASSIGNMENT = new RegExp(`^(${NAME}) = (?:(:\\w+)|if_not_exists\\((${NAME}), (:\\w+)\\))$`);
const KEY_CONDITION = /^(#?\w+) = (:\w+)(?: AND (#?\w+) BETWEEN (:\w+) AND (:\w+))?$/;

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
  let depth = 0;
  let start = 0;
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth > 0 || !text.startsWith(separator, at)) continue;
    parts.push(text.slice(start, at));
    start = at + separator.length;
  }
  return [...parts, text.slice(start)];
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
  if (typeof one !== typeof other || one === undefined) return Number.NaN;
  if (one === other) return 0;
  return typeof one === 'string'
    ? Buffer.compare(Buffer.from(one), Buffer.from(String(other)))
    : Number(one) - Number(other);
}

const OPERATORS: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Compiles a condition or a filter. */
export const condition = remembered((text: string) => compile(text.replace(/(BETWEEN :\w+) AND /g, '$1, ')));

function compile(text: string): Test {
  const choices = split(text, ' OR ').map((choice) => split(choice, ' AND ').map(leaf));
  return (item, placeholders) => choices.some((tests) => tests.every((test) => test(item, placeholders)));
}

function leaf(text: string): Test {
  if (text.startsWith('(') && text.endsWith(')')) return compile(text.slice(1, -1));
  const [existence, not, name = ''] = EXISTENCE.exec(text) ?? [];
  if (existence !== undefined)
    return (item, given) => (attribute(item, name, given) === undefined) === (not !== undefined);
  const order =
    (path: string, value: string): ((item: Item, given: Placeholders) => number) =>
    (item, given) =>
      compare(attribute(item, path, given), given.ExpressionAttributeValues?.[value.trim()]);
  const [comparison, path = '', operator = '', value = ''] = COMPARISON.exec(text) ?? [];
  const holds = OPERATORS[operator];
  if (comparison !== undefined && holds) return (item, given) => holds(order(path, value)(item, given));
  const [between, tested = '', low = '', high = ''] = BETWEEN.exec(text) ?? [];
  if (between !== undefined)
    return (item, given) => order(tested, low)(item, given) >= 0 && order(tested, high)(item, given) <= 0;
  const [isIn, member = '', options = ''] = IN.exec(text) ?? [];
  if (isIn === undefined) throw new Unsupported(`The condition ${text}`);
  return (item, given) => options.split(',').some((option) => order(member, option)(item, given) === 0);
}

/** Compiles an update. The result returns the changed item. */
export const update = remembered((text: string) => {
  const [before, ...clauses] = text.split(/\s*\b(SET|REMOVE)\b\s*/);
  if (before !== '' || clauses.length === 0) throw new Unsupported(`The update ${text}`);
  const changes = clauses.flatMap((clause, index) =>
    index % 2 === 1 ? [] : split(clauses[index + 1] ?? '', ', ').map(clause === 'SET' ? assignment : removal),
  );
  return (old: Item, given: Placeholders): Item => {
    const item: Record<string, unknown> = { ...old };
    for (const change of changes) change(item, old, given);
    return item;
  };
});

type Change = (item: Record<string, unknown>, old: Item, given: Placeholders) => void;

const nameOf = (token: string, { ExpressionAttributeNames: names }: Placeholders) => names?.[token] ?? token;

const removal =
  (name: string): Change =>
  (item, _, given) => {
    delete item[nameOf(name, given)];
  };

function assignment(text: string): Change {
  const [, target, value, kept, otherwise = ''] = ASSIGNMENT.exec(text) ?? [];
  if (target === undefined) throw new Unsupported(`The assignment ${text}`);
  return (item, old, given) => {
    const known = kept === undefined ? undefined : attribute(old, kept, given);
    item[nameOf(target, given)] = known ?? given.ExpressionAttributeValues?.[value ?? otherwise];
  };
}

/** The partition and the range of sort keys that a query reads. */
export interface KeyRange {
  readonly partition: string;
  readonly low: string | undefined;
  readonly high: string | undefined;
}

/** Reads the key condition of a query. */
export function keyRange(text: string, { ExpressionAttributeValues: values = {} }: Placeholders): KeyRange {
  const [, , partition, , low, high] = KEY_CONDITION.exec(text) ?? [];
  if (partition === undefined) throw new Unsupported(`The key condition ${text}`);
  const bound = (name: string | undefined) => (name === undefined ? undefined : String(values[name]));
  return { partition: String(values[partition]), low: bound(low), high: bound(high) };
}
