/** Returns the value at a path of own properties of parsed JSON; `undefined` if there is none. */
export function valueAt(json: unknown, ...path: readonly string[]): unknown {
  return path.reduce(
    (inner: unknown, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    json,
  );
}

/** True for JSON's objects and arrays. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Prepares a value for `JSON.stringify`: a `bigint` becomes a number with all its digits, which may exceed 2^53. */
export function exactNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return JSON.rawJSON(String(value));
  if (Array.isArray(value)) return value.map(exactNumbers);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, exactNumbers(each)]));
}

declare global {
  // TypeScript's library does not have it yet (https://tc39.es/proposal-json-parse-with-source/).
  interface JSON {
    rawJSON(text: string): unknown;
  }
}
