import type { ErrorObject } from 'ajv';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { InvalidField } from '../domain/errors.ts';
import { isSlug } from '../domain/fields.ts';
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
  return valid(isObject(json) ? withoutEmpty(json) : json, validate);
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

/**
 * Parses and checks the query. Unknown parameters are ignored, unless `rejected` lists them as parameters of similar
 * operations, or is `all`. Throws `InvalidField` for the first invalid one.
 */
export function validQuery<Type>(
  event: QueryEvent,
  schema: QuerySchema,
  validate: Validator<Type>,
  rejected: readonly string[] | 'all' = [],
): Type {
  const query = readQuery(event, schema);
  const names = new Set(event.rawQueryString.split('&').map((pair) => decode(pair.split('=', 1).join())));
  if (rejected !== 'all') {
    const found = rejected.find((name) => names.has(name));
    if (found !== undefined) throw new InvalidField(found, 'is not a parameter of this operation: remove it');
  } else if ([...names].some((name) => name !== '' && !Object.hasOwn(schema.properties, name ?? 'invalid'))) {
    // The name may contain anything.
    const known = Object.keys(schema.properties).join(', ');
    throw new InvalidField('The query', `must have only parameters of this operation: ${known}`);
  }
  return valid(query, validate);
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
  const field = error?.instancePath.slice(1) || 'The body';
  const params = error?.params ?? {};
  switch (error?.keyword) {
    case 'required':
      return new InvalidField(String(params['missingProperty']), 'is required');
    case 'requiresOneOf':
      return missingChoice(...params['alternatives']);
    case 'type':
      return new InvalidField(field, `must be ${TYPE_NAMES[String(params['type'])] ?? 'of another type'}`);
    case 'enum':
      return new InvalidField(field, `must be one of ${String(params['allowedValues']).replaceAll(',', ', ')}`);
    case 'minimum':
      return new InvalidField(field, `must be at least ${params['limit']}`);
    case 'minItems':
      return new InvalidField(field, 'must not be empty');
    case 'maximum':
      return new InvalidField(field, `must be at most ${params['limit']}`);
    default:
      return new InvalidField(field, 'is not valid');
  }
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  'string,null': 'a string or null',
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
