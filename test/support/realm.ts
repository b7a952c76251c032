import type { TestTable } from './table.ts';

/**
 * Makes the client of a table throw Node's errors as in production. jest runs each test file in a separate realm, where
 * errors created by Node are not `instanceof Error`, and the SDK wraps such values in another error.
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
