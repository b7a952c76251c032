import { InvalidField } from '../../kernel/errors.ts';
import { fromText } from '../../kernel/fields/field-list.ts';
import { MAX_NAME, parseText } from '../../kernel/fields/fields.ts';
import { parseLines } from '../../kernel/fields/lines.ts';
import { list, type Parser, record, text } from '../../kernel/fields/parsers.ts';
import { parseHttpUrl } from '../../kernel/fields/urls.ts';

/** What a program gives its advocates to share: a text, an address, or both. */
export interface Resource {
  readonly title: string;
  /** It may have several lines. */
  readonly text: string | null;
  readonly url: string | null;
}

export const MAX_RESOURCES = 20;
export const MAX_TITLE = MAX_NAME;
export const MAX_RESOURCE_TEXT = 2000;

/** Parses the whole list of a request. Throws `InvalidField`. */
export function parseResources(name: string, value: unknown): readonly Resource[] {
  const given = list(value);
  if (!given || given.length > MAX_RESOURCES) {
    throw new InvalidField(name, `must be a list of at most ${MAX_RESOURCES} resources`);
  }
  return given.map((each, index) => parseResource(`${name}.${index}`, each));
}

function parseResource(name: string, value: unknown): Resource {
  const { title = '', text, url } = record(value) ?? {};
  return {
    title: fromText((field, given) => parseText(field, given, MAX_TITLE))(`${name}.title`, title),
    text: optional(`${name}.text`, text, (field, given) => parseLines(field, given, MAX_RESOURCE_TEXT)),
    url: optional(`${name}.url`, url, parseHttpUrl),
  };
}

/** A field that counts as absent if it is `null` or `""`. */
function optional(name: string, value: unknown, parse: (name: string, given: string) => string): string | null {
  return value === undefined || value === null || value === '' ? null : fromText(parse)(name, value);
}

/** Parses a stored list. */
export const storedResources: Parser<readonly Resource[]> = (value) =>
  list(value)?.flatMap((each) => {
    const stored = record(each) ?? {};
    const title = text(stored['title']);
    if (title === undefined) return [];
    return [{ title, text: text(stored['text']) ?? null, url: text(stored['url']) ?? null }];
  });
