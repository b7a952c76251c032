/** HTML that is safe to send: values in it are escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template of HTML. Strings in it are escaped, HTML and lists of HTML are inserted as they are. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const texts = values.map((value) => {
    if (typeof value === 'string') return value.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
    return value instanceof Html ? value.text : value.map(({ text }) => text).join('');
  });
  return new Html(String.raw({ raw: parts }, ...texts));
}

/** A whole page, with the style sheets at these addresses. `body` has its landmarks. */
export function htmlPage(title: string, styles: readonly string[], head: Html, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title}</title>
  <link rel="icon" type="image/svg+xml" href="/local/icon.svg">
  ${styles.map((address) => html`<link rel="stylesheet" href="${address}">`)}
  ${head}
</head>
<body>
${body}
</body>
</html>
`.text;
}
