import { domainToASCII } from 'node:url';
import { InvalidField } from './errors.ts';

const MAX_EMAIL = 254;
const MAX_LOCAL_PART = 64;
const MAX_DOMAIN = 253;
/** Longest input without the white space around it, in UTF-16 units: an IDN can be longer than its ASCII form. */
const MAX_INPUT = 2 * MAX_EMAIL;

// RFC 5322 section 3.2.3, dot-atom in ASCII.
const DOT_ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
// RFC 1123 section 2.1: labels of letters, digits and inner hyphens. The last one is never a number (RFC 3696 section 2).
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
// ASCII that no domain contains. domainToASCII would decode "%61" and cut at "/": it must never see them.
const FOREIGN_TO_DOMAINS = /[^a-z0-9.\-\u0080-\u{10ffff}]/iu;

// IDNA reads the last three as dots, too (RFC 3490 section 3.1).
const DOT = '[.\\u3002\\uff0e\\uff61]';
const LABEL = `[^\\x00-\\x2c.\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7f\\u3002\\uff0e\\uff61]{1,${MAX_INPUT - 2}}`;

/**
 * The form of an email as clients send it, for documents: every email that `parseEmail` accepts matches, and a few
 * strings that it rejects match too, because no regular expression can check an IDN. `\s` is the white space that
 * `String.prototype.trim` removes.
 */
export const EMAIL_PATTERN = `^\\s*[A-Za-z0-9!#$%&'*+/=?^_\`{|}~.-]{1,${MAX_LOCAL_PART}}@(?:${LABEL}${DOT})+${LABEL}\\s*$`;

/**
 * Parses an e-mail address to the form that is stored, compared and returned: white space at both ends removed,
 * lower-cased, the domain in ASCII (punycode). Plus-tags and dots stay significant.
 *
 * Throws `InvalidField` naming `field` for what is no ASCII dot-atom at a domain of at least two labels.
 */
export function parseEmail(field: string, text: string): string {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  // Longer than any address in its longest written form: refused before any expression walks it.
  const plausible = at > 0 && trimmed.length <= MAX_INPUT && trimmed.isWellFormed();
  const local = plausible ? trimmed.slice(0, at) : '';
  const domain = plausible ? asciiDomain(trimmed.slice(at + 1)) : '';
  const email = `${local}@${domain}`;
  if (
    local.length > MAX_LOCAL_PART ||
    domain.length > MAX_DOMAIN ||
    email.length > MAX_EMAIL ||
    !DOT_ATOM.test(local) ||
    !DOMAIN.test(domain)
  ) {
    throw new InvalidField(field, 'must be an email address such as name@example.com');
  }
  return email.toLowerCase();
}

function asciiDomain(domain: string): string {
  if (FOREIGN_TO_DOMAINS.test(domain)) return '';
  // Lower case is for the ASCII form only: what capitals of other scripts become is for IDNA to say.
  return /[^\x20-\x7e]|xn--/i.test(domain) ? domainToASCII(domain) : domain.toLowerCase();
}
