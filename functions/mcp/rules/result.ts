/** The most characters of a result: assistants cut longer ones somewhere. */
export const MAX_CHARACTERS = 25_000;

/** A string of JSON with its quotes. Numbers stay as they are, because they may exceed 2^53. */
const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;
/** Invisible characters that reorder, split or hide text. The joiners of words and emoji stay. */
const INVISIBLE = /(?![\u200c\u200d])\p{Cf}|[\u{e0100}-\u{e01ef}]/gu;
const CONTROL = /\p{Cc}|\p{Zl}|\p{Zp}/gu;
/** A character of an address besides its `@`. */
const PART = '[^\\s@＠﹫"\'<>(),:;]';
/** An email, also in a URL, with wide characters, or encoded. It begins where its text does, so that the search is linear. */
const EMAIL = new RegExp(`(?<!${PART})(${PART})${PART}*?(?:[@＠﹫]|%(?:25)?40)(${PART}+[.。]${PART}+)`, 'gu');

/**
 * Returns JSON whose strings contain neither control characters nor invisible ones, because people wrote many of them; and
 * with `masksEmails`, every email in them as its first character and domain.
 */
export function cleanJson(json: string, masksEmails: boolean): string {
  return json.replace(JSON_STRING, (quoted) => {
    const text = String(JSON.parse(quoted)).replace(INVISIBLE, '').replace(CONTROL, ' ');
    return JSON.stringify(masksEmails ? text.replace(EMAIL, '$1***@$2') : text);
  });
}
