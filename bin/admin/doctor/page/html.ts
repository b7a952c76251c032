/** A start tag of a page, as a browser reads it. */
export interface Tag {
  /** In lower case. */
  readonly name: string;
  /** By name in lower case; an attribute without a value has the value `''`. */
  readonly attributes: ReadonlyMap<string, string>;
  /** The content of a script; `''` for other tags. */
  readonly text: string;
}

// The patterns follow the states of https://html.spec.whatwg.org/multipage/parsing.html#tokenization. Each reads a
// character at most a few times, so that hostile pages take no longer than others.

/** A comment, a tag, or another construct that ends at the next `>`, such as a doctype. */
const MARKUP = /<(?:(!--)|(\/?)([a-z][^\t\n\f\r />]*)|[!?/])/gi;
/** `<!-->` and `<!--->` are complete comments, `<!--!>` is not. */
const COMMENT_END = /-->|(?<!<!)--!>/g;
const ATTRIBUTE =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\t\n\f\r >]*)))?/y;
const TAG_END = /[^>]*>?/y;

/** Elements whose content is text. With scripts, a browser reads `noscript` as text, too. */
const TEXT_ELEMENTS = new Set('script style textarea title noscript iframe noembed noframes xmp'.split(' '));

/**
 * Yields the start tags of a page in order, except those that a browser ignores: tags in comments, in text, and in
 * templates. Scripts that contain `<!--` and `<script` end at the first end tag, which is earlier than in a browser.
 */
export function* tagsOf(html: string): Generator<Tag, void> {
  let templates = 0;
  for (let markup = markupFrom(html, 0), end = 0; markup; markup = markupFrom(html, end)) {
    const { name, isEndTag, attributes } = markup;
    if (name === 'template') templates = Math.max(0, templates + (isEndTag ? -1 : 1));
    end = !isEndTag && TEXT_ELEMENTS.has(name) ? startOfEndTag(name, html, markup.end) : markup.end;
    if (isEndTag || templates > 0) continue;
    yield { name, attributes, text: name === 'script' ? html.slice(markup.end, end) : '' };
  }
}

/** Finds the next tag. Comments and declarations have the name `''`. */
function markupFrom(html: string, from: number) {
  MARKUP.lastIndex = from;
  const markup = MARKUP.exec(html);
  if (!markup) return undefined;
  const [, comment, slash, name = ''] = markup;
  const start = MARKUP.lastIndex;
  const tag = {
    name: name.toLowerCase(),
    isEndTag: slash === '/' || name === '',
    attributes: new Map<string, string>(),
  };
  if (comment !== undefined) return { ...tag, end: endOf(COMMENT_END, html, markup.index + '<!'.length) };
  return name === '' ? { ...tag, end: endOf(TAG_END, html, start) } : { ...tag, ...attributesAt(html, start) };
}

/** Reads attributes from a position behind the name of a tag up to the end of the tag. The first of each name counts. */
function attributesAt(html: string, start: number) {
  const attributes = new Map<string, string>();
  let end = start;
  for (;;) {
    ATTRIBUTE.lastIndex = end;
    const found = ATTRIBUTE.exec(html);
    if (!found) break;
    end = ATTRIBUTE.lastIndex;
    const [, name = '', double, single, bare] = found;
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, decoded(double ?? single ?? bare ?? ''));
  }
  return { attributes, end: endOf(TAG_END, html, end) };
}

function endOf(pattern: RegExp, html: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(html) ? pattern.lastIndex : html.length;
}

function startOfEndTag(name: string, html: string, from: number): number {
  const pattern = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi');
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? html.length;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Replaces numeric character references, and the named ones that addresses and policies contain. */
function decoded(value: string): string {
  return value.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (text, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? text;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : text;
  });
}
