import { InvalidField } from '../errors.ts';

/** The longest address that is stored, in characters. */
export const MAX_URL = 2048;

/** Parses an http or https address without a user or a password. Returns it as browsers write it. Throws `InvalidField`. */
export function parseHttpUrl(field: string, text: string): string {
  const url = text.length <= MAX_URL && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new InvalidField(field, 'must be an http or https address such as https://example.com');
  }
  return url.href;
}
