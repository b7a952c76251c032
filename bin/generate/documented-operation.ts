import type { ErrorCode } from '../../functions/domain/errors.ts';
import type { OperationId } from '../../functions/routes.ts';
import type { Examples } from './examples.ts';
import type { HeaderKey } from './headers.ts';
import type { JsonObject } from './json.ts';
import type { HeaderParameter, QuerySchema } from './parameters.ts';

/** A body and its content types. In `text/plain`, a body of JSON is a string. */
export interface DocumentedBody {
  readonly types: readonly string[];
  readonly schema: JsonObject;
  readonly examples: Examples;
}

/** An operation that continues with what a response returned. */
export interface DocumentedLink {
  readonly operation: OperationId;
  readonly description: string;
  /** Its values are runtime expressions, such as `$response.body#/data/id`, or constants. */
  readonly requestBody: JsonObject;
}

/** A success. One without a body has none in the document either. */
export interface DocumentedSuccess {
  readonly status: number;
  readonly description: string;
  readonly headers: readonly HeaderKey[];
  readonly body?: DocumentedBody;
  readonly links?: Readonly<Record<string, DocumentedLink>>;
}

/** The documentation of an operation: fields come from the schemas; method, path, token and limits from the routes. */
export interface DocumentedOperation {
  readonly summary: string;
  readonly description: string;
  readonly requestHeaders: readonly HeaderParameter[];
  readonly query?: QuerySchema;
  readonly body?: DocumentedBody & { readonly description: string };
  readonly successes: readonly DocumentedSuccess[];
  /** Errors in addition to those of every operation of its kind. */
  readonly errors: readonly ErrorCode[];
  /** Sentences of `invalid_field`, for examples. */
  readonly invalidFields: readonly string[];
}

/** A JSON body. */
export const json = (schema: JsonObject, examples: Examples): DocumentedBody => ({
  types: ['application/json'],
  schema,
  examples,
});
