/**
 * What a value of a response must be: the type of a scalar, such as `string`, or `=` with a constant; a list; an object
 * with these fields, and perhaps others; one of several shapes.
 */
export type Shape =
  | string
  | { readonly list: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> }
  | { readonly either: readonly Shape[] };

/** The shapes of JSON responses by method and path, such as `get /v2/program`. Others have no body. */
export type Shapes = Readonly<Record<string, Shape>>;

/** True if a value has a shape. `Value` is the type that was generated from the same schema. */
export function hasShape<Value>(value: unknown, shape: Shape): value is Value {
  if (typeof shape === 'string') {
    return shape.startsWith('=') ? value === shape.slice(1) : shape === (value === null ? 'null' : typeof value);
  }
  if ('either' in shape) return shape.either.some((each) => hasShape(value, each));
  if ('list' in shape) return Array.isArray(value) && value.every((each) => hasShape(each, shape.list));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const own = new Map<string, unknown>(Object.entries(value));
  return Object.entries(shape.fields).every(([name, each]) => hasShape(own.get(name), each));
}
