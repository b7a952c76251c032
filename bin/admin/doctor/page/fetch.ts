import { BROWSER } from '../../../service/environment.ts';
import { exchange, reasonOf, StepFailure } from '../request.ts';

/** Largest page in bytes. Its elements are read in a few seconds. */
const MAX_BYTES = 10 * 1024 * 1024;
const TIME_LIMIT = 20_000;
// Reading a large page takes seconds, in which a server closes a connection that waits for another request.
const HEADERS = { 'user-agent': BROWSER, accept: 'text/html,*/*;q=0.8', connection: 'close' };

const SIGN_IN = 'doctor needs an address that visitors can open without signing in, and that no bot protection blocks.';
const CORRECT = 'Correct the address.';
const ADVICE: Readonly<Record<number, string>> = { 401: SIGN_IN, 403: SIGN_IN, 404: CORRECT, 410: CORRECT };

/** Loads a text as UTF-8. `what` names it in errors. Throws `StepFailure` unless status, type and size are right. */
export async function load(url: URL, what: string, type: RegExp, timeLimit = TIME_LIMIT) {
  const { response, bytes } = await request(url, what, {}, timeLimit);
  const { status, headers } = response;
  const at = `${what} at ${shown(new URL(response.url))}`;
  if (status !== 200) {
    const advice = ADVICE[status] ?? 'Check the server of that address, then run doctor again.';
    throw new StepFailure(`${at} has the status ${status}.`, advice);
  }
  if (!type.test(headers.get('content-type') ?? '')) {
    const advice = 'Correct the address, or the configuration of its server.';
    throw new StepFailure(`${at} has an unexpected content type.`, advice);
  }
  if (bytes === undefined) {
    const advice = 'Make it smaller: visitors with a slow connection never see it.';
    throw new StepFailure(`${at} is larger than 10 MB.`, advice);
  }
  return { url: new URL(response.url), text: bytes.toString(), headers };
}

/** An address without its query, which may contain personal data. */
export function shown({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

type Init = RequestInit & { readonly headers?: Readonly<Record<string, string>> };

/** Sends a request as a browser does. Returns the response and its body, or no `bytes` if there are too many. */
export async function request(url: URL, what: string, init: Init, timeLimit = TIME_LIMIT) {
  try {
    return await exchange(url, { ...init, headers: { ...HEADERS, ...init.headers } }, timeLimit, MAX_BYTES);
  } catch (cause) {
    const reason = reasonOf(cause);
    const why = reason === undefined ? 'did not arrive in time' : `cannot be loaded (${reason})`;
    const advice = `Correct the address, or check ${what.toLowerCase()} in a browser.`;
    throw new StepFailure(`${what} ${why}.`, advice, { cause });
  }
}
