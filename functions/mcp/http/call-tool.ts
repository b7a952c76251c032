import type { HttpEvent, HttpResult } from '../../kernel/http/context.ts';
import { isObject, valueAt } from '../../kernel/json.ts';
import { cleanJson, MAX_CHARACTERS } from '../rules/result.ts';
import type { Tool } from '../rules/tool.ts';

/** How the call of a tool is carried out. */
export interface Calling {
  /** Carries out the operation of an event. */
  readonly operation: (event: HttpEvent) => Promise<HttpResult>;
  /** The event of the assistant's request, with its token. */
  readonly event: HttpEvent;
  readonly masksEmails: boolean;
}

const TOO_LONG = `The result has more than ${MAX_CHARACTERS.toLocaleString('en-US')} characters: ask for less, such as a shorter range, one advocate, or group_by=month`;
/** Other names may contain anything. */
const ARGUMENT = /^\w{1,40}$/;

/**
 * Calls the operation of a tool, and returns its response as text: JSON, or the sentence of an error. A list that would be
 * too long has fewer rows, and `next_cursor` leads to the others.
 */
export async function callTool(tool: Tool, given: Readonly<Record<string, unknown>>, calling: Calling) {
  const { properties, required } = tool.inputSchema;
  const names = Object.keys(properties).join(', ');
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined)
    return textResult(
      `${ARGUMENT.test(unknown) ? unknown : 'A name'} is not an argument of this tool: ${names ? `use ${names}` : 'remove it'}`,
      true,
    );
  const nested = Object.keys(given).find((name) => isObject(given[name]));
  if (nested !== undefined) return textResult(`${nested} must be a text, a number, true or false`, true);
  const missing = required.find((name) => (given[name] ?? '') === '');
  if (missing) return textResult(`${missing} is required`, true);
  let fields = Object.entries(given).filter(([, value]) => value !== null && value !== '');
  for (;;) {
    const { headers, body = '', statusCode } = await calling.operation(eventOf(tool, fields, calling.event));
    const response: unknown = JSON.parse(body);
    if (statusCode !== 200) return textResult(String(valueAt(response, 'error')), true);
    const text = withCursor(cleanJson(body, calling.masksEmails), String(headers?.['link']));
    if (text.length <= MAX_CHARACTERS) return textResult(text, false);
    const rows = valueAt(response, 'data');
    if (!Array.isArray(rows) || rows.length < 2 || !Object.hasOwn(properties, 'per_page'))
      return textResult(TOO_LONG, true);
    // A cursor leads to the same row, whatever the size of the page.
    const fewer = Math.max(1, Math.floor((0.9 * rows.length * MAX_CHARACTERS) / text.length));
    fields = [...fields.filter(([name]) => name !== 'per_page'), ['per_page', fewer]];
  }
}

const textResult = (text: string, isError: boolean) => ({ content: [{ type: 'text', text }], isError });

/** The event with which API Gateway would call the operation. */
function eventOf({ method, path }: Tool, fields: readonly [string, unknown][], event: HttpEvent): HttpEvent {
  const [inPath = [], others = []] = [true, false].map((is) =>
    fields.filter(([name]) => path.includes(`{${name}}`) === is).map(([name, value]) => [name, String(value)]),
  );
  return {
    ...event,
    routeKey: `${method} ${path}`,
    rawPath: path,
    pathParameters: Object.fromEntries(inPath),
    rawQueryString: method === 'GET' ? new URLSearchParams(others).toString() : '',
    body: JSON.stringify(Object.fromEntries(fields)),
    isBase64Encoded: false,
  };
}

/** Adds the cursor of the next page, which the header `Link` contains. */
function withCursor(body: string, link: string): string {
  const [, cursor] = /[?&]cursor=([\w-]+)/.exec(link) ?? [];
  return cursor === undefined ? body : `${body.slice(0, -1)},"next_cursor":"${cursor}"}`;
}
