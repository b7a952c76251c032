import type { ErrorObject } from 'ajv';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { InvalidField } from '../errors.ts';
import { isSlug } from '../fields/fields.ts';
import type { HttpEvent } from './context.ts';

/** The type of valid data. A field with a default may be missing, because validators do not add defaults. */
export type Checked<Schema extends JSONSchema> = FromSchema<Schema, { keepDefaultedPropertiesOptional: true }>;

/** A validator that ajv generated from a JSON Schema. */
export interface Validator<Type> {
  (data: unknown): data is Type;
  errors?: ErrorObject[] | null;
}

/** A JSON Schema of the query parameters that a route knows, with their types. */
interface QuerySchema {
  readonly properties: Readonly<Record<string, { readonly type: string }>>;
}

/**
 * Checks the parsed JSON of a body. Fields that are `null` or `""` count as absent, and unknown fields are ignored.
 * Throws `InvalidField` for the first field that is missing or not valid.
 */
export function validBody<Type>(json: unknown, validate: Validator<Type>): Type {
  return valid(givenFields(json), validate);
}

/** The fields of a body that are neither `null` nor `""`, which count as absent. */
export function givenFields(json: unknown): unknown {
  return isObject(json) ? withoutEmpty(json) : json;
}

/**
 * Checks the parsed JSON of a body that changes a resource. `null` clears a field, absent and unknown fields are
 * ignored. Throws `InvalidField` for a field that cannot be changed, or for the first invalid field.
 */
export function validPatch<Type>(
  json: unknown,
  validate: Validator<Type>,
  fixed: Readonly<Record<string, string>>,
): Type {
  const problems = Object.entries(fixed);
  const found = isObject(json) ? problems.find(([field]) => Object.hasOwn(json, field)) : undefined;
  if (found) throw new InvalidField(...found);
  return valid(json, validate);
}

/** Parses and checks the query. Throws `InvalidField` for the first parameter that is unknown or not valid. */
export function validQuery<Type>(event: QueryEvent, schema: QuerySchema, validate: Validator<Type>): Type {
  const query = readQuery(event, schema);
  assertKnown(event, Object.keys(schema.properties));
  return valid(query, validate);
}

/** Parses and checks the query of a route of V1, which ignores unknown parameters. Throws `InvalidField`. */
export function validQueryV1<Type>(event: QueryEvent, schema: QuerySchema, validate: Validator<Type>): Type {
  return valid(readQuery(event, schema), validate);
}

/** Throws `InvalidField` if the query of a route without parameters has one. */
export function assertNoQuery(event: QueryEvent): undefined {
  assertKnown(event, []);
}

// Other names may contain anything, such as an email, which no error repeats.
const PARAMETER_NAME = /^[a-z_]{1,40}$/;

function assertKnown({ rawQueryString }: QueryEvent, known: readonly string[]): void {
  const names = rawQueryString.split('&').map((pair) => decode(pair.split('=', 1).join()));
  const unknown = names.filter((name) => name === undefined || (name !== '' && !known.includes(name)));
  if (unknown.length === 0) return;
  const name = unknown.find((each) => each !== undefined && PARAMETER_NAME.test(each));
  if (name === undefined) {
    const problem = known.length === 0 ? 'must be empty' : `must have only these parameters: ${known.join(', ')}`;
    throw new InvalidField('The query', problem);
  }
  const nearest = nearestName(name, known);
  throw new InvalidField(name, `is not a parameter of this operation: ${nearest ? `use ${nearest}` : 'remove it'}`);
}

/** Returns the known name that a wrong one is a part of, or else differs from by at most a third of its characters. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((other) => ({ other, distance: other.startsWith(`${name}_`) ? 0 : editDistance(name, other) }))
    .filter(({ distance }) => distance <= name.length / 3)
    .sort((one, another) => one.distance - another.distance || one.other.length - another.other.length);
  return nearest?.other;
}

/** The number of characters to insert, delete or replace that makes one text another (Levenshtein distance). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const [diagonal = 0, above = 0] = row.slice(column);
      next.push(Math.min(above + 1, (next[column] ?? 0) + 1, diagonal + (character === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Returns the slug in the path in lower case; `undefined` if it is malformed, and therefore unknown. */
export function slugInPath({ pathParameters }: Pick<HttpEvent, 'pathParameters'>): string | undefined {
  const slug = pathParameters?.['slug'];
  return slug !== undefined && isSlug(slug) ? slug.toLowerCase() : undefined;
}

export type QueryEvent = Pick<HttpEvent, 'rawQueryString'>;

/** A value of a query: of the type of its parameter if it can be read as such, else the text. */
type QueryValue = string | number | boolean;

// No sign, leading zero, fraction or exponent. JavaScript numbers represent up to 15 digits exactly.
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,14})$/;

/**
 * Parses the known parameters of the raw query, because the query that API Gateway parses merges repeated parameters.
 * Throws `InvalidField` for a known parameter that is given twice or whose percent-encoding is not valid.
 */
export function readQuery({ rawQueryString }: QueryEvent, { properties }: QuerySchema): Record<string, QueryValue> {
  const values = new Map<string, QueryValue>();
  for (const pair of rawQueryString.split('&')) {
    const [rawName = '', ...rawValue] = pair.split('=');
    const name = decode(rawName) ?? '';
    const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
    if (type === undefined) continue;
    if (values.has(name)) throw new InvalidField(name, 'must be given only once');
    const value = decode(rawValue.join('='));
    if (value === undefined) throw new InvalidField(name, 'is not valid percent-encoded UTF-8');
    values.set(name, typedValue(value, type));
  }
  return Object.fromEntries(values);
}

function typedValue(text: string, type: string): QueryValue {
  if (type === 'integer' && WHOLE_NUMBER.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Decodes form encoding. Returns `undefined` if it is not valid. */
function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutEmpty(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''));
}

function valid<Type>(data: unknown, validate: Validator<Type>): Type {
  if (validate(data)) return data;
  throw invalidField(validate.errors?.[0]);
}

function invalidField(error: ErrorObject | undefined): InvalidField {
  // A JSON pointer (RFC 6901), such as `/application_fields/0/key`.
  const path = (error?.instancePath ?? '').slice(1).replaceAll('/', '.');
  const field = path || 'The body';
  const params = error?.params ?? {};
  switch (error?.keyword) {
    case 'required':
      return new InvalidField(`${path && `${path}.`}${params['missingProperty']}`, 'is required');
    case 'requiresOneOf':
      return missingChoice(...params['alternatives']);
    case 'type':
      return new InvalidField(field, `must be ${TYPE_NAMES[String(params['type'])] ?? 'of another type'}`);
    case 'enum':
      return new InvalidField(
        field,
        `must be one of ${[params['allowedValues']]
          .flat()
          .filter((value) => value !== null)
          .join(', ')}`,
      );
    case 'minimum':
      return new InvalidField(field, `must be at least ${params['limit']}`);
    case 'minItems':
      return new InvalidField(field, 'must not be empty');
    case 'maxItems':
      return new InvalidField(field, `must have at most ${params['limit']} elements`);
    case 'maximum':
      return new InvalidField(field, `must be at most ${params['limit']}`);
    default:
      return new InvalidField(field, 'is not valid');
  }
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  'string,null': 'a string or null',
  'string,integer': 'a string or a whole number',
  integer: 'a whole number in decimal digits',
  number: 'a number',
  'integer,null': 'a whole number or null',
  'number,null': 'a number or null',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
  'object,null': 'a JSON object or null',
};

/**
 * The error if no alternative is complete: "email, uid or id is required", "gr_id, or both pk and uid, are required".
 */
export function missingChoice(...alternatives: readonly (readonly string[])[]): InvalidField {
  return alternatives.every(({ length }) => length === 1)
    ? new InvalidField(alternatives.join(', ').replace(/, (?=\w+$)/, ' or '), 'is required')
    : new InvalidField(
        `${alternatives.map((fields) => (fields.length > 1 ? `both ${fields.join(' and ')}` : fields)).join(', or ')},`,
        'are required',
      );
}
