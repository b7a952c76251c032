/** A token, or the code of a link. */
const SECRET = /rt[ap]_[0-9A-Za-z]{36}|(?<![\w-])[\w-]{86}(?![\w-])/;

/** Returns the first token, code or address in a text; `undefined` if there is none. Addresses of people contain `~@`. */
export const leakIn = (text: string): string | undefined =>
  (text.includes('~@') ? /[\w.-]*~@/ : SECRET).exec(text)?.[0];
