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

const TYPES = new Map([
  ['s', 'string'],
  ['n', 'number'],
  ['b', 'boolean'],
  ['0', 'null'],
]);

/**
 * Reads shapes from lines, each with a name and a shape without spaces: the letter of a type, `=` with a constant, `[list]`,
 * `{field:shape}`, `{string}`, `one|other`, or the name of an earlier line. So they take a third of the bytes.
 */
export function readShapes(lines: string): Shapes {
  const known = new Map<string, Shape>();
  let tokens: string[] = [];
  const take = () => tokens.shift() ?? '';
  const skip = (token: string) => tokens[0] === token && take() === token;
  const one = (): Shape => {
    const token = take();
    if (token === '[') {
      const list = shape();
      skip(']');
      return { list };
    }
    if (token !== '{') return TYPES.get(token) ?? known.get(token) ?? token;
    const fields: Record<string, Shape> = {};
    while (!skip('}')) {
      const name = take();
      fields[name] = skip(':') ? shape() : 'string';
      skip(',');
    }
    return { fields };
  };
  const shape = (): Shape => {
    const either = [one()];
    while (skip('|')) either.push(one());
    const [only] = either;
    return either.length === 1 && only !== undefined ? only : { either };
  };
  for (const line of lines.split('\n')) {
    const end = line.lastIndexOf(' ');
    tokens = line.slice(end + 1).match(/[$=]?\w+|\W/g) ?? [];
    known.set(line.slice(0, end), shape());
  }
  return Object.fromEntries(known);
}

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
