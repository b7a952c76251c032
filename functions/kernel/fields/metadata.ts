import { InvalidField } from '../errors.ts';
import { parseText } from './fields.ts';
import { type Parser, record } from './parsers.ts';
import { textUpTo } from './schemas.ts';

/**
 * Fields of the merchant's own on a customer or an advocate. The order of the keys follows from the keys, so that the same
 * fields have the same fingerprint and the same bytes.
 */
export type Metadata = Readonly<Record<string, string>>;

export const NO_METADATA: Metadata = {};

const MAX_KEYS = 20;
const MAX_VALUE = 200;
/** Maximum size as JSON in bytes of UTF-8. */
const MAX_BYTES = 2048;
const KEY = /^[A-Za-z0-9_-]{1,40}$/;
/** A body with this key is refused before its fields are read. A file with it is refused here: the SDK would drop it. */
const REFUSED_KEY = '__proto__';

/** The JSON Schema of metadata in requests. */
export const METADATA_INPUT = {
  type: 'object',
  maxProperties: MAX_KEYS,
  propertyNames: { pattern: KEY.source },
  additionalProperties: textUpTo(MAX_VALUE),
  description: `Fields of your own: at most ${MAX_KEYS} keys of 1 to 40 letters, digits, hyphens or underscores, with texts of 1 to ${MAX_VALUE} characters, and 2 KiB in all.`,
  examples: [{ plan: 'pro' }],
} as const;

/** The JSON Schema of metadata in responses. */
export const METADATA = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Fields of your own, `{}` if there are none.',
  examples: [{ plan: 'pro' }],
} as const;

/** Checks metadata, and puts its keys into their order. Throws `InvalidField`. */
export function parseMetadata(field: string, value: unknown): Metadata {
  const given = record(value);
  if (!given) throw new InvalidField(field, 'must be a JSON object');
  const entries = Object.entries(given);
  if (entries.length > MAX_KEYS) throw new InvalidField(field, `must have at most ${MAX_KEYS} keys`);
  const metadata = sorted(entries.map(([key, text]) => [key, parseValue(field, key, text)]));
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_BYTES) {
    throw new InvalidField(field, `must have at most ${MAX_BYTES} bytes as JSON`);
  }
  return metadata;
}

function parseValue(field: string, key: string, text: unknown): string {
  if (!KEY.test(key) || key === REFUSED_KEY) {
    const problem = `must have keys of 1 to 40 letters, digits, hyphens or underscores, and not ${REFUSED_KEY}`;
    throw new InvalidField(field, problem);
  }
  if (typeof text !== 'string' || text === '' || [...text].length > MAX_VALUE) {
    throw new InvalidField(field, `must have texts of 1 to ${MAX_VALUE} characters as values`);
  }
  return parseText(field, text, MAX_VALUE);
}

/** Parses stored metadata. Its limits are not checked again: what is stored may be older than they are. */
export const storedMetadata: Parser<Metadata> = (value) => {
  const stored = record(value);
  if (!stored) return undefined;
  // DynamoDB keeps no order of keys.
  return sorted(Object.entries(stored).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : [])));
};

function sorted(entries: readonly (readonly [string, string])[]): Metadata {
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
