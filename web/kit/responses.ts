import * as COMMON from '../words/common.ts';

/** Returns the cursor of a `Link` header. Only the cursor is used: no other host ever gets the token. */
export function cursorOf(link: string | null): string | undefined {
  const [, query] = /\?([^>]*)>; *rel="?next/.exec(link ?? '') ?? [];
  return new URLSearchParams(query).get('cursor') ?? undefined;
}

/** The longest wait in seconds that `Retry-After` may ask of a person. */
const LONGEST_WAIT = 60;

/** Reads `Retry-After` in whole seconds. Anything else returns `undefined`. */
export function secondsUntilRetry(value: string | null): number | undefined {
  return /^\d{1,6}$/.test(value ?? '') ? Math.min(LONGEST_WAIT, Math.max(1, Number(value))) : undefined;
}

/** Reads the header `Date` as Unix seconds. Without it, returns the time of the device, whose clock may be wrong. */
export function secondOf(date: string | null): number {
  const time = Date.parse(date ?? '');
  return Math.floor((Number.isNaN(time) ? Date.now() : time) / 1000);
}

/** True if an address's fragment is a token, or a damaged one. */
export const hasToken = (hash: string) => hash.startsWith('#token=');

/** True if an address's fragment is something secret: a token, or the code of an email's link. */
export const hasSecret = (hash: string) => hasToken(hash) || /^#(?:code|undo|confirm)=/.test(hash);

/** Returns the token of an address's fragment, such as `#token=rta_…`. Text that a mail program added is ignored. */
export function tokenOfFragment(hash: string): string | undefined {
  return /^#token=([\w-]+)/.exec(hash)?.[1];
}

/** Returns a sentence of the API in the words of the page. */
export const inPageWords = (code: string, sentence: string): string =>
  COMMON.refusals.get(code) ?? sentence.replace(/\w+/g, (word) => COMMON.fields.get(word) ?? word);

/** A sentence about a field, such as `first_name is required`, as it is shown. */
export const readable = (sentence: string): string =>
  sentence.replace(/^[a-z]\w*/, (name) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' '));
