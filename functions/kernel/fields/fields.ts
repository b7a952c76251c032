import { domainToASCII } from 'node:url';
import { InvalidField } from '../errors.ts';
import { UUIDV7_PATTERN } from '../ids.ts';
import { spellingOf } from './latin-letters.ts';

/** Control characters, and the line and paragraph separators, at which some loggers and CSV readers break lines. */
export const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/u;

// Zero-width characters, and the marks, embeddings, overrides and isolates of bidirectional text. With them, a text can
// look like another one, or rearrange the text around it (https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing).
const INVISIBLE = '\\u200b-\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const INVISIBLE_CHARACTER = new RegExp(`[${INVISIBLE}]`);

// The second alternative is a surrogate pair, so that regular expressions that work on UTF-16 units instead of code points
// accept the same texts.
const patternWithout = (others: string) =>
  `^(?:[^\\u0000-\\u001f\\u007f-\\u009f${INVISIBLE}${others}\\u2028\\u2029\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*$`;

// A gateway or a shell may have put it in the place of invalid UTF-8, and so made different texts equal.
const REPLACEMENT = '\ufffd';
const IN_PATTERN = '\\ufffd';

/** The characters that `parseSubId` accepts, for the JSON Schemas. */
export const SUB_ID_PATTERN = /* @__PURE__ */ patternWithout('');
/** The characters that `parseText` accepts, for the JSON Schemas. */
export const TEXT_PATTERN = /* @__PURE__ */ patternWithout(IN_PATTERN);

/**
 * Checks a text that is stored and compared exactly, such as a `uid` or a name: 1 to `max` code points, no control
 * characters, line separators, zero-width characters, bidirectional controls, lone surrogates or U+FFFD. Returns it
 * unchanged. Throws `InvalidField`.
 */
export function parseText(field: string, text: string, max: number): string {
  const line = parseLine(field, text, max);
  if (line.includes(REPLACEMENT)) {
    throw new InvalidField(field, 'must not contain U+FFFD, which replaces invalid UTF-8: send valid UTF-8');
  }
  return line;
}

/**
 * Checks a `sub_id`, for which the rules of `parseText` apply except one: it may contain U+FFFD, because browsers put it
 * in the place of a link's parameter in another encoding. Returns it unchanged. Throws `InvalidField`.
 */
export function parseSubId(field: string, text: string): string {
  return parseLine(field, text, MAX_SUB_ID);
}

function parseLine(field: string, text: string, max: number): string {
  // Code points are counted, as in JSON Schema. Each has at most two UTF-16 units: long input is not even counted.
  if (text.length === 0 || text.length > 2 * max || [...text].length > max) {
    throw new InvalidField(field, `must be 1 to ${max} characters long`);
  }
  if (UNPRINTABLE.test(text) || !text.isWellFormed()) {
    throw new InvalidField(field, 'must not contain control characters, line separators or lone surrogates');
  }
  if (INVISIBLE_CHARACTER.test(text)) {
    throw new InvalidField(field, 'must not contain zero-width characters or bidirectional controls');
  }
  return text;
}

export const MAX_UID = 128;
export const MAX_SUB_ID = 128;
export const MAX_NAME = 200;

const MAX_EMAIL = 254;
const MAX_LOCAL_PART = 64;
/** Longest trimmed input in UTF-16 units: an IDN can be longer than its ASCII form. */
const MAX_INPUT = 2 * MAX_EMAIL;

// RFC 5322 section 3.2.3, dot-atom in ASCII.
const DOT_ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
// RFC 1123 section 2.1: labels of letters, digits and inner hyphens. The last one is not a number (RFC 3696 section 2).
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
// ASCII that no domain contains, such as "%61" and "/", which domainToASCII would decode and cut off.
const NOT_IN_DOMAINS = /[^a-z0-9.\-\u0080-\u{10ffff}]/iu;

// IDNA accepts three more characters as dots (RFC 3490 section 3.1).
const DOT = '[.\\u3002\\uff0e\\uff61]';
const LABEL = `[^\\x00-\\x2c.\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7f\\u3002\\uff0e\\uff61${IN_PATTERN}]{1,${MAX_INPUT - 2}}`;

/**
 * The form of an email as clients send it, for the JSON Schemas. It matches every email that `parseEmail` accepts and a
 * few that it rejects, because no regular expression can check an IDN. `\s` is the white space that
 * `String.prototype.trim` removes.
 */
export const EMAIL_PATTERN = `^\\s*[A-Za-z0-9!#$%&'*+/=?^_\`{|}~.-]{1,${MAX_LOCAL_PART}}@(?:${LABEL}${DOT})+${LABEL}\\s*$`;

/**
 * Parses an email to the form that is stored, compared and returned: trimmed, lower-cased, the domain in ASCII
 * (punycode). Plus-tags and dots stay significant. Throws `InvalidField` unless the email is an ASCII dot-atom, "@" and
 * a domain of at least two labels.
 */
export function parseEmail(field: string, text: string): string {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  // Overlong input is rejected before a regular expression reads it.
  const isPlausible = at > 0 && trimmed.length <= MAX_INPUT && trimmed.isWellFormed();
  const local = isPlausible ? trimmed.slice(0, at) : '';
  const domain = isPlausible ? asciiDomain(trimmed.slice(at + 1)) : '';
  const email = `${local}@${domain}`;
  if (local.length > MAX_LOCAL_PART || email.length > MAX_EMAIL || !DOT_ATOM.test(local) || !DOMAIN.test(domain)) {
    throw new InvalidField(field, 'must be an email address such as name@example.com');
  }
  return email.toLowerCase();
}

function asciiDomain(domain: string): string {
  if (NOT_IN_DOMAINS.test(domain)) return '';
  // Only ASCII is lower-cased here. IDNA defines the lower case of other scripts.
  return /[^\x20-\x7e]|xn--/i.test(domain) ? domainToASCII(domain) : domain.toLowerCase();
}

/** Returns the first character and the domain of an email, such as `v***@example.com`. */
export function maskedEmail(email: string): string {
  return `${email.charAt(0)}***${email.slice(email.lastIndexOf('@'))}`;
}

/** The pattern of a slug in upper or lower case, without anchors. */
export const SLUG_PATTERN = '[A-Za-z0-9_-]{1,64}';

const SLUG = new RegExp(`^${SLUG_PATTERN}$`);
/** Maximum length of a slug built from names, which leaves room for a suffix. */
const MAX_FROM_NAMES = 56;

/** True for a slug in upper or lower case. */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/** Parses a slug; returns it in lower case. Throws `InvalidField`. */
export function parseSlug(field: string, text: string): string {
  // Checked before it is lower-cased: toLowerCase turns the Kelvin sign into a "k".
  if (!isSlug(text)) throw new InvalidField(field, 'must be 1 to 64 letters, digits, hyphens or underscores');
  return text.toLowerCase();
}

/** Returns a text in lower case, without accents, and with the other Latin letters spelled in ASCII. */
export function withoutAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]/gu, (character) => spellingOf(character) ?? character);
}

/**
 * Builds a slug of at most 56 characters from a person's names ("Zoë", "Ørsted-Groß" → `zoe-orsted-gross`). Returns `''`
 * if the names contain no letter or digit that has a spelling in ASCII.
 */
export function slugFromNames(...names: (string | null)[]): string {
  return withoutAccents(names.join(' '))
    .replace(/[^a-z0-9]+/gu, '-')
    .slice(0, MAX_FROM_NAMES)
    .replace(/^-+|-+$/g, '');
}

/** The pattern of a name that is one segment of a path, such as a payout run's: printable ASCII without a slash. */
export const SEGMENT_PATTERN = '^[ -.0-~]{1,100}$';

/** The value of the visitor's cookie: the slug of the link that was followed, and the id of the click. */
export interface GrId {
  readonly slug: string;
  readonly clickId: string;
}

/**
 * The pattern of a `gr_id`; its groups are the slug and the click id. The dot may be replaced by an underscore, because
 * payment providers accept only letters, digits, hyphens and underscores in their reference fields.
 */
export const GR_ID_PATTERN = `^(${SLUG_PATTERN})[._](${UUIDV7_PATTERN})$`;

const GR_ID = new RegExp(GR_ID_PATTERN);

/** Parses `<slug>.<click id>` or `<slug>_<click id>`; returns the slug in lower case. Throws `InvalidField`. */
export function parseGrId(text: string): GrId {
  const [, slug, clickId] = GR_ID.exec(text) ?? [];
  if (slug === undefined || clickId === undefined) {
    throw new InvalidField(
      'gr_id',
      'must be the value of the gr_id cookie: a slug, a dot or underscore, and a click id',
    );
  }
  return { slug: slug.toLowerCase(), clickId };
}
