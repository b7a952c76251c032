import type { ErrorObject } from 'ajv';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { InvalidField } from '../domain/errors.ts';

/** The type of what passes a JSON Schema. A field with a default may still be missing: the default is for its reader. */
export type Checked<Schema extends JSONSchema> = FromSchema<Schema, { keepDefaultedPropertiesOptional: true }>;

/** A validator that ajv made of a JSON Schema: it tells the type of what passes, and else what is wrong with it. */
export interface Validator<Type> {
  (data: unknown): data is Type;
  errors?: ErrorObject[] | null;
}

/**
 * Checks the parsed JSON of a body. A field that is `null` or `""` counts as not given, an unknown one is ignored.
 * Throws `InvalidField` with a sentence that names the first field at fault and repeats no value.
 */
export function validBody<Type>(json: unknown, validate: Validator<Type>): Type {
  return valid(isObject(json) ? withoutEmpty(json) : json, validate);
}

/** Checks the known parameters of a query, as `readQuery` gives them. Throws `InvalidField`. */
export function valid<Type>(data: unknown, validate: Validator<Type>): Type {
  if (validate(data)) return data;
  const errors = validate.errors ?? [];
  // Of a choice, ajv tells what each alternative lacks and then the choice itself: that one says it all.
  throw faultOf(errors.find(({ keyword }) => keyword === 'anyOf') ?? errors[0]);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutEmpty(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''));
}

function faultOf(error: ErrorObject | undefined): InvalidField {
  const field = error?.instancePath.slice(1) || 'The body';
  const params = error?.params ?? {};
  switch (error?.keyword) {
    case 'required':
      return new InvalidField(String(params['missingProperty']), 'is required');
    case 'anyOf':
      return new InvalidField(alternativesOf(error.schema).join(', or '), 'is required');
    case 'type':
      return new InvalidField(field, `must be ${TYPE_NAMES[String(params['type'])] ?? 'of another type'}`);
    case 'enum':
      return new InvalidField(field, `must be one of ${String(params['allowedValues']).replaceAll(',', ', ')}`);
    case 'minimum':
      return new InvalidField(field, `must be at least ${params['limit']}`);
    case 'maximum':
      return new InvalidField(field, `must be at most ${params['limit']}`);
    default:
      return new InvalidField(field, 'is not valid');
  }
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number in decimal digits',
  object: 'a JSON object',
};

/** The alternatives of an `anyOf` whose branches only require fields. */
function alternativesOf(schema: unknown): string[] {
  if (!Array.isArray(schema)) return [];
  return schema.map((branch: unknown) =>
    isObject(branch) && 'required' in branch ? String(branch.required).replaceAll(',', ' with ') : '',
  );
}
