/** HTML that is safe to send, because values inserted into it are escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value to insert into HTML. Strings are escaped; HTML and lists of HTML are inserted unchanged. */
type HtmlValue = string | Html | readonly Html[];

export type HtmlValues = Readonly<Record<string, HtmlValue>>;

/** Builds HTML from a template literal. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(render)));
}

/** Fills the placeholders `{{name}}` of a page. A placeholder without a value stays. */
export function fill(page: string, values: HtmlValues): string {
  return page.replace(/\{\{(\w+)\}\}/g, (placeholder, name) => render(values[name] ?? placeholder));
}

function render(value: HtmlValue): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('');
}
