import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Caller } from '../domain/caller.ts';

export type HttpEvent = APIGatewayProxyEventV2;
export type HttpResult = APIGatewayProxyStructuredResultV2;
export type HttpHandler = (event: HttpEvent, context: Context) => Promise<HttpResult>;

/** What the middlewares learn of a request, each in its turn. The event stays as it came. */
export interface Learned<Input = unknown, Table = unknown> {
  /** The table, bound to the time by which the response must be sent. */
  table?: Table;
  caller?: Caller;
  /** The parsed JSON of the body. */
  json?: unknown;
  /** What the schema and the rules of the domain made of query or body. */
  input?: Input;
}

export type CallContext<Input = unknown, Table = unknown> = Context & Learned<Input, Table>;
export type Middleware<Input = unknown, Table = unknown> = middy.MiddlewareObj<
  HttpEvent,
  HttpResult,
  Error,
  CallContext<Input, Table>
>;

/** What a middleware further up must have learned. Throws where the stack lacks it: a mistake in the code. */
export function learned<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('A middleware is missing from the stack.');
  return value;
}
