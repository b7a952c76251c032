import { entriesOf, type FieldList, isEmpty, type Values } from '../fields/field-list.ts';
import type { Parser } from '../fields/parsers.ts';

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
export function required<Value>(item: Item, attribute: string, parse: Parser<Value>): Value {
  const value = parse(item[attribute]);
  if (value === undefined) throw new MalformedItem(attribute);
  return value;
}

/** Parses an attribute; returns `null` if it is missing. Throws `MalformedItem` if it has the wrong type. */
export function optional<Value>(item: Item, attribute: string, parse: Parser<Value>): Value | null {
  return item[attribute] === undefined ? null : required(item, attribute, parse);
}

/** Removes attributes that are `null`, because DynamoDB rejects `null` in the key of an index. */
export function withoutNulls(attributes: Item): Record<string, unknown> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}

/** Parses all fields of a list. Throws `MalformedItem`. */
export function parseFields<Fields extends FieldList>(fields: Fields, item: Item): Values<Fields>;
export function parseFields(fields: FieldList, item: Item): object {
  const values: Record<string, unknown> = {};
  for (const [key, { attribute, stored }] of entriesOf(fields)) {
    const isMissing = item[attribute] === undefined && 'empty' in stored;
    values[key] = isMissing ? stored.empty : required(item, attribute, stored.parse);
  }
  return values;
}

/** Builds the attributes of all fields of a list. Fields that are not set have none. */
export function toAttributes<Fields extends FieldList>(fields: Fields, values: Values<Fields>): Record<string, unknown>;
export function toAttributes(fields: FieldList, values: Item): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const [key, { attribute }] of entriesOf(fields)) {
    if (!isEmpty(values[key])) attributes[attribute] = values[key];
  }
  return attributes;
}
