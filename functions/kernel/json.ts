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
