import type { ErrorCode } from '../../functions/domain/errors.ts';
import type { Examples } from './examples.ts';
import type { HeaderKey } from './headers.ts';
import type { JsonObject } from './json.ts';
import type { HeaderParameter, QuerySchema } from './parameters.ts';

/** A body and the content types in which it may come. */
export interface DocumentedBody {
  readonly types: readonly string[];
  readonly schema: JsonObject;
  readonly examples: Examples;
}

/** A success. One without a body has none in the document either. */
export interface DocumentedSuccess {
  readonly status: number;
  readonly description: string;
  readonly headers: readonly HeaderKey[];
  readonly body?: DocumentedBody;
}

/** What only documents an operation: fields come from the schemas, method, path and token from the routes. */
export interface DocumentedOperation {
  readonly summary: string;
  readonly description: string;
  readonly requestHeaders: readonly HeaderParameter[];
  readonly query?: QuerySchema;
  readonly body?: DocumentedBody & { readonly description: string };
  readonly successes: readonly DocumentedSuccess[];
  /** Errors beside those that every operation of its kind can give. */
  readonly errors: readonly ErrorCode[];
  /** Sentences of `invalid_field`, for examples. */
  readonly invalidFields: readonly string[];
}

/** A body in JSON. */
export const json = (schema: JsonObject, examples: Examples): DocumentedBody => ({
  types: ['application/json'],
  schema,
  examples,
});
