import { isSeconds, type Seconds } from '../../domain/time.ts';

/** An item of the table before it is parsed. */
export type Item = Readonly<Record<string, unknown>>;

/** An attribute is missing or has the wrong type: the item was not written by this version of the service. */
class MalformedItem extends Error {
  constructor(attribute: string) {
    super(`The attribute "${attribute}" of an item is missing or has the wrong type.`);
    this.name = 'MalformedItem';
  }
}

/** Parses an attribute. Throws `MalformedItem` if it is missing or has the wrong type. */
export function required<Value>(item: Item, attribute: string, parse: (value: unknown) => Value | undefined): Value {
  const value = parse(item[attribute]);
  if (value === undefined) throw new MalformedItem(attribute);
  return value;
}

/** Parses an attribute; returns `null` if it is missing. Throws `MalformedItem` if it has the wrong type. */
export function optional<Value>(
  item: Item,
  attribute: string,
  parse: (value: unknown) => Value | undefined,
): Value | null {
  return item[attribute] === undefined ? null : required(item, attribute, parse);
}

/** Parsers of attributes. They return `undefined` if the value has the wrong type. */
export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
export const boolean = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);
export const wholeSeconds = (value: unknown): Seconds | undefined =>
  typeof value === 'number' && isSeconds(value) ? value : undefined;
export const texts = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every((element) => typeof element === 'string') ? value : undefined;
export const oneOf =
  <Value>(values: readonly Value[]) =>
  (value: unknown): Value | undefined =>
    values.find((candidate) => candidate === value);
export const list = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);
export const map = (value: unknown): Item | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;

/** Removes attributes that are `null`, because DynamoDB rejects `null` in the key of an index. */
export function withoutNulls(attributes: Item): Record<string, unknown> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}
