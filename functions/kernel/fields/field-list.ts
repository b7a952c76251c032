import { InvalidField } from '../errors.ts';
import { valueAt } from '../json.ts';
import type { Parser } from './parsers.ts';

/** A JSON Schema of one value. */
interface Schema {
  readonly type: string | readonly string[];
  readonly [keyword: string]: unknown;
}

/** How the table stores the value of a field. */
interface Stored<Value> {
  readonly parse: Parser<Value>;
  /** The value of a row without the attribute. Absent if every row has the attribute. */
  readonly empty?: Value;
}

/** How requests set a field. */
interface Input<Value> {
  readonly schema: Schema;
  /** Checks and normalizes the value of a request. Throws `InvalidField`. */
  readonly parse: (name: string, value: unknown) => Value;
  /** True if only the request that creates the object sets the field. */
  readonly isFixed?: true;
  /** True if requests cannot clear the field with `null`, although it can be empty or has a default. */
  readonly rejectsNull?: true;
  /** True if requests from pages, which anyone can send, cannot set the field. */
  readonly isServerOnly?: true;
}

/** Everything that the service knows of one field of an advocate or a referral. */
export interface Field {
  /** The attribute in the table. */
  readonly attribute: string;
  readonly stored: Stored<unknown>;
  /** `projected`: every index contains the attribute. `key`: so do its keys, from which it is read. */
  readonly listed?: 'projected' | 'key';
  /** The name in requests and responses; by default the name of the attribute. */
  readonly name?: string;
  /** The JSON Schema in responses. */
  readonly schema?: Schema;
  /** The forms of the resource, files and events that contain the field. */
  readonly forms?: readonly string[];
  /** Absent if requests cannot set the field. */
  readonly input?: Input<unknown>;
  /** True if an erasure empties the field. */
  readonly personal?: true;
}

export type FieldList = Readonly<Record<string, Field>>;

/** The type of a field's value. */
type ValueOf<One extends Field> =
  | Exclude<ReturnType<One['stored']['parse']>, undefined>
  | (One['stored'] extends { readonly empty: infer Empty } ? Empty : never);

/** The type of an object with all fields of a list. */
export type Values<Fields extends FieldList> = { readonly [Key in keyof Fields]: ValueOf<Fields[Key]> };

/** The keys of the fields that have a property. */
export type KeysWith<Fields extends FieldList, Property> = {
  [Key in keyof Fields]: Fields[Key] extends Property ? Key : never;
}[keyof Fields];

/** The keys of the fields that a form contains. */
export type KeysIn<Fields extends FieldList, Form> = {
  [Key in keyof Fields]: Fields[Key] extends { readonly forms: readonly (infer Known)[] }
    ? Form extends Known
      ? Key
      : never
    : never;
}[keyof Fields];

/** The name of a field in requests and responses. */
type NameOf<One extends Field> = One extends { readonly name: infer Name extends string } ? Name : One['attribute'];

/** The names of the fields that a form contains. */
type NamesIn<Fields extends FieldList, Form> = NameOf<Fields[KeysIn<Fields, Form>]>;

type SchemasIn<Fields extends FieldList, Form> = {
  readonly [Key in KeysIn<Fields, Form> as NameOf<Fields[Key]>]: Fields[Key]['schema'];
};

/** The fields that can be changed. The types leave out `null`, which clears a field that can be empty. */
type ChangeSchemas<Fields extends FieldList> = Omit<
  InputSchemas<Fields>,
  NameOf<Fields[KeysWith<Fields, { input: { readonly isFixed: true } }>]>
>;

type InputSchemas<Fields extends FieldList> = {
  readonly [Key in KeysWith<Fields, { input: object }> as NameOf<Fields[Key]>]: Fields[Key] extends {
    readonly input: { readonly schema: infer Schema };
  }
    ? Schema
    : never;
};

/*
 * TypeScript cannot follow a field from its list to the object that is built from it. Each function therefore has a
 * signature for its callers, and a loose one for its body. A test compares both for every list.
 */

/** The fields of a list that have a property. */
export function fieldsWith<Fields extends FieldList, Property extends keyof Field>(
  fields: Fields,
  property: Property,
): Pick<Fields, KeysWith<Fields, Record<Property, unknown>>>;
export function fieldsWith(fields: FieldList, property: keyof Field): object {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field[property] !== undefined));
}

/** The fields of a list that a form contains. */
export function fieldsIn<Fields extends FieldList, Form extends string>(
  fields: Fields,
  form: Form,
): Pick<Fields, KeysIn<Fields, Form>>;
export function fieldsIn(fields: FieldList, form: string): object {
  return Object.fromEntries(entriesIn(fields, form));
}

/** The attributes that every index projects. */
export function projectedAttributes(fields: FieldList): string[] {
  return Object.values(fields).flatMap(({ attribute, listed }) => (listed === 'projected' ? [attribute] : []));
}

/** The names of the fields in a form, in the order of the list. */
export function namesIn<Fields extends FieldList, Form extends string>(
  fields: Fields,
  form: Form,
): readonly NamesIn<Fields, Form>[];
export function namesIn(fields: FieldList, form: string): readonly string[] {
  return entriesIn(fields, form).map(([, field]) => nameOf(field));
}

/** The JSON Schemas of the fields in a form, by their names. */
export function schemasIn<Fields extends FieldList, Form extends string>(
  fields: Fields,
  form: Form,
): SchemasIn<Fields, Form>;
export function schemasIn(fields: FieldList, form: string): object {
  return Object.fromEntries(entriesIn(fields, form).map(([, field]) => [nameOf(field), field.schema]));
}

/** The values of the fields in a form, by their names. */
export function attributesIn<Fields extends FieldList, Form extends string>(
  fields: Fields,
  form: Form,
  values: Pick<Values<Fields>, KeysIn<Fields, Form>>,
): { readonly [Key in KeysIn<Fields, Form> as NameOf<Fields[Key]>]: ValueOf<Fields[Key]> };
export function attributesIn(fields: FieldList, form: string, values: Readonly<Record<string, unknown>>): object {
  const attributes: Record<string, unknown> = {};
  for (const [key, field] of entriesIn(fields, form)) attributes[nameOf(field)] = values[key];
  return attributes;
}

/** The JSON Schemas of the fields that requests can set, by their names. */
export function inputSchemas<Fields extends FieldList>(fields: Fields): InputSchemas<Fields>;
export function inputSchemas(fields: FieldList): object {
  return Object.fromEntries(inputsOf(fields).map(([, field, { schema }]) => [nameOf(field), schema]));
}

/** The JSON Schemas of the fields that requests can change, by their names. `null` clears a field that can be empty. */
export function changeSchemas<Fields extends FieldList>(fields: Fields): ChangeSchemas<Fields>;
export function changeSchemas(fields: FieldList): object {
  return Object.fromEntries(
    inputsOf(fields).flatMap(([, field, { schema, isFixed, rejectsNull }]) => {
      if (isFixed) return [];
      return [[nameOf(field), 'empty' in field.stored && !rejectsNull ? nullable(schema) : schema]];
    }),
  );
}

function nullable(schema: Schema): Schema {
  const { type, enum: values } = schema;
  return { ...schema, type: [type].flat().concat('null'), ...(Array.isArray(values) && { enum: [...values, null] }) };
}

/** Removes the fields that only servers can set from the body of a page's request. */
export function withoutServerFields(fields: FieldList, body: object): object {
  const names = new Set(
    inputsOf(fields).flatMap(([, field, { isServerOnly }]) => (isServerOnly ? [nameOf(field)] : [])),
  );
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)));
}

/** The values of the fields that requests can set. */
export function inputsIn<Fields extends FieldList>(
  fields: Fields,
  values: Pick<Values<Fields>, KeysWith<Fields, { input: object }>>,
): Pick<Values<Fields>, KeysWith<Fields, { input: object }>>;
export function inputsIn(fields: FieldList, values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(inputsOf(fields).map(([key]) => [key, values[key]]));
}

/**
 * Checks and normalizes the fields that a request sets, by their names. `null` becomes the empty value; absent fields
 * are absent from the result. Throws `InvalidField`.
 */
export function parseInputs<Fields extends FieldList>(
  fields: Fields,
  body: Readonly<Record<string, unknown>>,
): Partial<Pick<Values<Fields>, KeysWith<Fields, { input: object }>>>;
export function parseInputs(fields: FieldList, body: Readonly<Record<string, unknown>>): object {
  return parseEach(fields, (_, field) => body[nameOf(field)]);
}

/** Checks and normalizes fields by their keys, as `parseInputs` does. Throws `InvalidField`. */
export function checkInputs<Fields extends FieldList, Checked extends Partial<Values<Fields>>>(
  fields: Fields,
  values: Checked,
): Pick<Checked, KeysWith<Fields, { input: object }> & keyof Checked>;
export function checkInputs(fields: FieldList, values: Readonly<Record<string, unknown>>): object {
  return parseEach(fields, (key) => values[key]);
}

function parseEach(fields: FieldList, read: (key: string, field: Field) => unknown): object {
  return Object.fromEntries(
    inputsOf(fields).flatMap(([key, field, { parse }]) => {
      const value = read(key, field);
      if (value === undefined) return [];
      return [[key, value === null ? field.stored.empty : parse(nameOf(field), value)]];
    }),
  );
}

/** The empty values of the fields that have one. With a `property`, only of the fields that have the property. */
export function emptyValues<Fields extends FieldList, Property extends keyof Field = 'attribute'>(
  fields: Fields,
  property?: Property,
): Pick<Values<Fields>, KeysWith<Fields, Record<Property, unknown> & { readonly stored: { readonly empty: unknown } }>>;
export function emptyValues(fields: FieldList, property: keyof Field = 'attribute'): object {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, field]) =>
      'empty' in field.stored && field[property] !== undefined ? [[key, field.stored.empty]] : [],
    ),
  );
}

/** The names of the fields that have a property and are set. */
export function namesSet(fields: FieldList, property: keyof Field, values: object): readonly string[] {
  return Object.entries(fields).flatMap(([key, field]) =>
    field[property] !== undefined && !isEmpty(valueAt(values, key)) ? [nameOf(field)] : [],
  );
}

/** True for the value of a field that is not set: `null`, or an empty array or object. */
export function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Wraps a parser of texts for a request's value. */
export const fromText =
  <Value>(parse: (name: string, text: string) => Value) =>
  (name: string, value: unknown): Value => {
    if (typeof value !== 'string') throw new InvalidField(name, 'must be a string');
    return parse(name, value);
  };

/** Returns a parser that accepts only these values of a request. */
export const choiceOf =
  <Value>(values: readonly Value[]) =>
  (name: string, value: unknown): Value => {
    const found = values.find((each) => each === value);
    if (found === undefined) throw new InvalidField(name, `must be one of ${values.join(', ')}`);
    return found;
  };

export const nameOf = ({ name, attribute }: Field): string => name ?? attribute;

/** Derives something from a list once, because lists never change and every request needs it. */
function oncePerList<Derived>(derive: (fields: FieldList) => Derived): (fields: FieldList) => Derived {
  const known = new WeakMap<FieldList, Derived>();
  return (fields) => {
    const derived = known.get(fields) ?? derive(fields);
    known.set(fields, derived);
    return derived;
  };
}

/** The fields of a list with their keys. */
export const entriesOf = /* @__PURE__ */ oncePerList((fields): readonly (readonly [string, Field])[] =>
  Object.entries(fields),
);

const formsOf = /* @__PURE__ */ oncePerList(() => new Map<string, readonly (readonly [string, Field])[]>());

function entriesIn(fields: FieldList, form: string): readonly (readonly [string, Field])[] {
  const forms = formsOf(fields);
  const entries = forms.get(form) ?? entriesOf(fields).filter(([, { forms = [] }]) => forms.includes(form));
  forms.set(form, entries);
  return entries;
}

const inputsOf = /* @__PURE__ */ oncePerList((fields): readonly (readonly [string, Field, Input<unknown>])[] =>
  entriesOf(fields).flatMap(([key, field]) => (field.input ? [[key, field, field.input] as const] : [])),
);
