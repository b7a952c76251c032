import { isSeconds, type Seconds } from '../domain/time.ts';

/** An item as the document client reads it: nothing is known of it before it is parsed. */
export type Item = Readonly<Record<string, unknown>>;

/** An item lacks an attribute or has one of another type: written by other code, or by hand. */
class MalformedItem extends Error {
  constructor(attribute: string) {
    super(`An item of the table has no usable attribute "${attribute}".`);
    this.name = 'MalformedItem';
  }
}

/** Reads an attribute through a parser of its type. Throws `MalformedItem` where it is missing or of another type. */
export function required<Value>(item: Item, attribute: string, parse: (value: unknown) => Value | undefined): Value {
  const value = parse(item[attribute]);
  if (value === undefined) throw new MalformedItem(attribute);
  return value;
}

/** The same for an attribute that an item may lack: then it is `null`. */
export function optional<Value>(
  item: Item,
  attribute: string,
  parse: (value: unknown) => Value | undefined,
): Value | null {
  return item[attribute] === undefined ? null : required(item, attribute, parse);
}

/** Parsers of an attribute's value: `undefined` for a value of another type. */
export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
export const wholeSeconds = (value: unknown): Seconds | undefined =>
  typeof value === 'number' && isSeconds(value) ? value : undefined;
export const texts = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every((element) => typeof element === 'string') ? value : undefined;
export const list = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);
export const map = (value: unknown): Item | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;

/** An item to write: attributes that have no value are left out, as an index key must be. */
export function withoutNulls(attributes: Item): Record<string, unknown> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}
