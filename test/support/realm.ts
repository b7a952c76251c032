import type { TestTable } from './table.ts';

/**
 * Makes a table's client throw Node's own errors as in production. jest runs a test in a realm of its own, where an
 * error that Node itself creates is not an `instanceof Error`, and the SDK wraps such a value in another error.
 */
export function rethrowInThisRealm({ client }: TestTable): void {
  client.middlewareStack.add(
    (next) => (args) =>
      next(args).catch((error: unknown) => {
        if (error instanceof Error || !isErrorLike(error)) throw error;
        throw Object.assign(new Error(error.message), { ...error, name: error.name });
      }),
    { step: 'deserialize', priority: 'low' },
  );
}

function isErrorLike(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && 'name' in value && 'message' in value;
}
