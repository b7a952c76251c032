import { InvalidField } from '../domain/errors.ts';
import type { HttpEvent } from './context.ts';

/** The part of a JSON Schema that says which parameters a route knows, and which of them are numbers. */
interface QuerySchema {
  readonly properties: Readonly<Record<string, { readonly type: string }>>;
}

// Without sign, leading zero, fraction or exponent; of up to 15 digits, which a number holds exactly.
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,14})$/;

/**
 * Reads the parameters that the schema knows from the raw query, in which alone a repeated parameter shows. Whole
 * numbers become numbers, all else stays text for the validator to judge. Unknown parameters are ignored.
 *
 * Throws `InvalidField` for a known parameter that is given twice or whose percent-encoding is broken.
 */
export function readQuery(event: HttpEvent, { properties }: QuerySchema): Record<string, string | number> {
  const values = new Map<string, string | number>();
  for (const pair of event.rawQueryString.split('&')) {
    const [rawName = '', ...rawValue] = pair.split('=');
    const name = decode(rawName) ?? '';
    const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
    if (type === undefined) continue;
    if (values.has(name)) throw new InvalidField(name, 'must be given only once');
    const value = decode(rawValue.join('='));
    if (value === undefined) throw new InvalidField(name, 'is not valid percent-encoded UTF-8');
    values.set(name, type === 'integer' && WHOLE_NUMBER.test(value) ? Number(value) : value);
  }
  return Object.fromEntries(values);
}

/** Undoes the encoding of a form; `undefined` where it is broken. */
function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
