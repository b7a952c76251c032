/** HTML that is safe to send, because values inserted into it are escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value for a place in HTML. Strings are escaped; HTML and lists of HTML are inserted unchanged. */
type HtmlValue = string | Html | readonly Html[];

export type HtmlValues = Readonly<Record<string, HtmlValue>>;

/** Builds HTML from a template literal. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(render)));
}

/** Fills the places `{{name}}` of a page. A place without a value stays as it is. */
export function fill(page: string, values: HtmlValues): string {
  return page.replace(/\{\{(\w+)\}\}/g, (place, name) => render(values[name] ?? place));
}

function render(value: HtmlValue): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('');
}
