import { type JsonObject, mapValues } from './json.ts';

/** The schema of a body as it counts: its optional fields are strings, and its choices name fields to require. */
interface BodySchema {
  readonly type: 'object';
  readonly required?: readonly string[];
  readonly allOf?: readonly { readonly anyOf: readonly Alternative[] }[];
  readonly properties: Readonly<Record<string, JsonObject>>;
}

interface Alternative {
  readonly required: readonly string[];
  /** Requirements on fields that hold only if this alternative is chosen. */
  readonly properties?: Readonly<Record<string, JsonObject>>;
}

/**
 * The schema of a body as a client may send it: in every field that is not required, `null` and `""` count as absent.
 * One field of each choice must be present, and so neither `null` nor `""`.
 */
export function requestBody({ required = [], allOf = [], properties, ...schema }: BodySchema): JsonObject {
  const choices = allOf.map(({ anyOf }) => ({ anyOf: anyOf.map(present) }));
  return {
    ...schema,
    ...(required.length > 0 && { required }),
    ...(choices.length > 0 && { allOf: choices }),
    properties: mapValues(properties, (field, name) => (required.includes(name) ? field : optional(field))),
  };
}

function present({ required, properties = {} }: Alternative): JsonObject {
  const fields = required.map((name) => [name, { type: 'string', minLength: 1, ...properties[name] }]);
  // The type is for generators, which do not look at the schema around this one.
  return { type: 'object', required, properties: Object.fromEntries(fields) };
}

function optional({ minLength: _, pattern, ...field }: JsonObject): JsonObject {
  const refusesEmpty = typeof pattern === 'string' && !new RegExp(pattern, 'u').test('');
  return {
    ...field,
    type: ['string', 'null'],
    ...(pattern !== undefined && { pattern: refusesEmpty ? `^$|${pattern}` : pattern }),
  };
}
