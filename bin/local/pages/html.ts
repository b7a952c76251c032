import { readFile } from 'node:fs/promises';
import type { HttpResult } from '../../../functions/kernel/http/context.ts';

/** HTML that is safe to send, because values inserted into it are escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type HtmlValue = string | Html | readonly Html[];

export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(render)));
}

function render(value: HtmlValue): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('');
}

/** Content-Security-Policy: pages load nothing from other sites, and inline scripts and styles do not run. */
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-src': "'none'",
  'frame-ancestors': "'none'",
};
type Policy = Partial<typeof POLICY> & { readonly sandbox?: string };

/** Fills in `{{name}}`. Shows `{{#name}}…{{/name}}` unless the value is empty, and `{{^name}}…{{/name}}` if it is. */
export async function page(
  path: string,
  values: Readonly<Record<string, HtmlValue>>,
  policy?: Policy,
): Promise<HttpResult> {
  const body = (await projectFile(path))
    .replace(/\{\{([#^])(\w+)\}\}(.*?)\{\{\/\2\}\}/gs, (_, kind, name, content) =>
      (values[name] === '') === (kind === '^') ? content : '',
    )
    .replace(/\{\{(\w+)\}\}/g, (placeholder, name) => render(values[name] ?? placeholder));
  return textResult('text/html', body, policy);
}

/** Returns text with a Content-Security-Policy. Browsers request it again each time. */
export function textResult(type: string, body: string, policy: Policy = {}): HttpResult {
  const directives = Object.entries({ ...POLICY, ...policy }).map((directive) => directive.join(' '));
  return {
    statusCode: 200,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-cache',
      'content-security-policy': directives.join('; '),
      // Pages of other sites can load neither scripts nor images from here.
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
    body,
  };
}

export function withHeaders(result: HttpResult, headers: Readonly<Record<string, string>>): HttpResult {
  return { ...result, headers: { ...result.headers, ...headers } };
}

export function projectFile(path: string): Promise<string> {
  return readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
}
