import { isSeconds, type Seconds } from '../time.ts';

/** Parses a value that comes from outside. Returns `undefined` if the value is not valid. */
export type Parser<Value> = (value: unknown) => Value | undefined;

export const text: Parser<string> = (value) => (typeof value === 'string' ? value : undefined);
export const number: Parser<number> = (value) => (typeof value === 'number' ? value : undefined);
/** A whole number of any size. */
export const integer: Parser<bigint> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : bigint(value);
const bigint: Parser<bigint> = (value) => (typeof value === 'bigint' ? value : undefined);
export const boolean: Parser<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);
export const bytes: Parser<Uint8Array> = (value) => (value instanceof Uint8Array ? value : undefined);
export const wholeSeconds: Parser<Seconds> = (value) =>
  typeof value === 'number' && isSeconds(value) ? value : undefined;
export const texts: Parser<readonly string[]> = (value) =>
  Array.isArray(value) && value.every((element) => typeof element === 'string') ? value : undefined;
export const oneOf =
  <Value>(values: readonly Value[]): Parser<Value> =>
  (value) =>
    values.find((candidate) => candidate === value);
/** The result of a function that throws for invalid texts; `null` for these and for other values. */
export function validOrNull<Value>(value: unknown, parse: (text: string) => Value): Value | null {
  if (typeof value !== 'string') return null;
  try {
    return parse(value);
  } catch {
    return null;
  }
}
export const list: Parser<readonly unknown[]> = (value) => (Array.isArray(value) ? value : undefined);
export const record: Parser<Readonly<Record<string, unknown>>> = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
