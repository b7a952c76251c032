import { maskedEmail } from '../../kernel/fields/fields.ts';

/** The most characters of a result: assistants cut longer ones somewhere. */
export const MAX_CHARACTERS = 25_000;

/** A string of JSON with its quotes. Numbers stay as they are, because they may exceed 2^53. */
const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;
/** Control characters, and invisible ones that reorder or hide text. The joiners of words and emoji stay. */
const HIDDEN = /\p{Cc}|(?![\u200c\u200d])\p{Cf}/gu;
const EMAIL = /[^\s@"'<>(),:;]+@[^\s@"'<>(),:;]+\.[^\s@"'<>(),:;]+/g;

/**
 * Returns JSON whose strings contain neither control characters nor invisible ones, because people wrote many of them; and
 * with `masksEmails`, every email in them as its first character and domain.
 */
export function cleanJson(json: string, masksEmails: boolean): string {
  return json.replace(JSON_STRING, (quoted) => {
    const text = String(JSON.parse(quoted)).replace(HIDDEN, ' ');
    return JSON.stringify(masksEmails ? text.replace(EMAIL, maskedEmail) : text);
  });
}
