import { LIST_PARAMETERS } from '../../functions/http/schema.ts';
import { PAGE_ORIGIN } from './examples.ts';
import { type JsonObject, mapValues } from './json.ts';
import { written } from './schemas.ts';

/** A schema with one property per query parameter. */
export interface QuerySchema {
  readonly properties: Readonly<Record<string, JsonObject & { readonly description: string }>>;
}

/** Headers of requests, by their names in the document. `Authorization` is a security scheme instead. */
const HEADER_PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a call safe to repeat, such as `conversion-of-customer-4711`. The same key with the same fields (compared after normalization) returns the first 201 again, byte for byte, ' +
      'with `Idempotent-Replayed: true`; with other fields 422, and nothing is written. Keys are scoped to program and operation, so that a retry ' +
      'survives a token change. Only successes are kept, for 7 days. Without the header a repeated call is 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the copy that the client already has.',
    schema: { type: 'string' },
  },
  Origin: {
    name: 'Origin',
    in: 'header',
    description: "Set by the browser. If `pk` replaces a token, it must be one of the program's allowed origins.",
    schema: { type: 'string' },
    example: PAGE_ORIGIN,
  },
  UserAgent: {
    name: 'User-Agent',
    in: 'header',
    description: 'Set by the browser. Known bots and an empty one are ignored; it is not stored.',
    schema: { type: 'string' },
  },
} as const;

export type HeaderParameter = keyof typeof HEADER_PARAMETERS;

// Parameters of every list are components of the document.
const shared = new Map(Object.entries(LIST_PARAMETERS).map(([name, schema]): [JsonObject, string] => [schema, name]));

/** `parameters` of an operation: its headers, then its query. */
export function parametersOf(headers: readonly HeaderParameter[], query?: QuerySchema): JsonObject[] {
  return [
    ...headers.map((key) => ({ $ref: `#/components/parameters/${key}` })),
    ...Object.entries(query?.properties ?? {}).map(([name, schema]) => {
      const component = shared.get(schema);
      return component === undefined ? queryParameter(schema, name) : { $ref: `#/components/parameters/${component}` };
    }),
  ];
}

function queryParameter({ description, ...schema }: QuerySchema['properties'][string], name: string): JsonObject {
  return { name, in: 'query', description, schema: mapValues(schema, written) };
}

/** `components.parameters` of the document. */
export function parameterComponents(): JsonObject {
  return { ...HEADER_PARAMETERS, ...mapValues(LIST_PARAMETERS, queryParameter) };
}
