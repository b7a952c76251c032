import { ApiError } from '../kit/api-error.ts';

/** Resolves to `undefined` if the deployment lacks the route, or the token its scope: then the page leaves it out. */
export async function optional<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return undefined;
    throw error;
  });
}
