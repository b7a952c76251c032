import type { components, paths } from '../../client/src/openapi.ts';

/** The objects of the API. */
export type Schemas = components['schemas'];

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that have a method. */
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

/** The parameters in the path of an operation. */
export type PathParameters<Path extends PathWith<M>, M extends Method> =
  Parameters<Path, M> extends { path: infer Fields } ? Fields : undefined;

/** The body of a request. */
export type RequestBody<Path extends PathWith<M>, M extends Method> =
  Operation<Path, M> extends { requestBody?: { content: { 'application/json': infer Json } } } ? Json : undefined;

type Successes<Path extends PathWith<M>, M extends Method> =
  Operation<Path, M> extends { responses: infer All } ? All[Extract<keyof All, 200 | 201 | 202>] : never;

/** The JSON of a successful response; `undefined` if it has no body. */
export type ResponseBody<Path extends PathWith<M>, M extends Method> =
  Successes<Path, M> extends { content: { 'application/json': infer Json } } ? Json : undefined;
