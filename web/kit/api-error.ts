import type { components, paths } from '../../client/src/openapi.ts';

/** A request that failed. Its message is a sentence to show. */
export class ApiError extends Error {
  /**
   * 0 if no response arrived: the browser is offline, or the service does not respond. Of a success whose body is not the
   * service's, the status is 200 to 299. Below 0, nothing was requested.
   */
  readonly status: number;
  readonly code: string | undefined;

  constructor(message: string, status: number, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** True if the service refused the request, and would refuse it again. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500;
  }

  /** True if the service may have carried out the request: its own answer is not known. */
  get isUnanswered(): boolean {
    return this.status >= 0 && !this.isRefusal;
  }
}

export type Schemas = components['schemas'];

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never;
}[keyof paths];

type Operation<Path extends PathWith<M>, M extends Method> = Extract<paths[Path][M], object>;
type Parameters<Path extends PathWith<M>, M extends Method> =
  Operation<Path, M> extends { parameters: infer All } ? All : never;

/** The parameters in the query of an operation. Those that are `undefined` are not sent. */
export type Query<Path extends PathWith<M>, M extends Method> =
  Parameters<Path, M> extends { query?: infer Fields }
    ? { readonly [Name in keyof Fields]: Fields[Name] | undefined } | undefined
    : undefined;

export type PathParameters<Path extends PathWith<M>, M extends Method> =
  Parameters<Path, M> extends { path: infer Fields } ? Fields : undefined;

export type RequestBody<Path extends PathWith<M>, M extends Method> =
  Operation<Path, M> extends { requestBody?: { content: { 'application/json': infer Json } } } ? Json : undefined;

type Successes<Path extends PathWith<M>, M extends Method> =
  Operation<Path, M> extends { responses: infer All } ? All[Extract<keyof All, 200 | 201 | 202>] : never;

/** The JSON of a successful response; `undefined` if it has no body. */
export type ResponseBody<Path extends PathWith<M>, M extends Method> =
  Successes<Path, M> extends { content: { 'application/json': infer Json } } ? Json : undefined;
