import { BROWSER } from '../../../service/environment.ts';
import { StepFailure } from '../request.ts';

/** A loaded text, such as a page or a script. */
export interface Loaded {
  /** The address after all redirects. */
  readonly url: URL;
  readonly text: string;
  readonly headers: Headers;
}

/** Largest page in bytes. Its elements are read in a few seconds. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Milliseconds from the request to the end of the response. */
const TIME_LIMIT = 20_000;

/**
 * Loads a text as a browser does, following redirects. `what` names it in errors: "The page". Throws `StepFailure`
 * unless the status is 200, the type matches, and the text arrives completely and in time.
 */
export async function load(url: URL, what: string, type: RegExp, timeLimit = TIME_LIMIT): Promise<Loaded> {
  const { response, bytes } = await request(url, what, {}, timeLimit);
  const { status } = response;
  const at = `${what} at ${shown(new URL(response.url))}`;
  if (status !== 200) throw new StepFailure(`${at} has the status ${status}.`, adviceOn(status));
  const contentType = response.headers.get('content-type') ?? '';
  if (!type.test(contentType)) {
    throw new StepFailure(
      `${at} has an unexpected content type.`,
      'Correct the address, or the configuration of its server.',
    );
  }
  if (bytes === undefined) {
    throw new StepFailure(
      `${at} is larger than 10 MB.`,
      'Make it smaller: visitors with a slow connection never see it.',
    );
  }
  return { url: new URL(response.url), text: decoded(bytes, contentType), headers: response.headers };
}

/** An address without its query, which may contain personal data. */
export function shown({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** Sends a request as a browser does. Returns the response and its body, or no `bytes` if there are too many. */
export async function request(url: URL, what: string, init: RequestInit, timeLimit = TIME_LIMIT) {
  try {
    // Reading a large page takes seconds, in which a server closes a connection that waits for another request.
    const headers = { 'user-agent': BROWSER, accept: 'text/html,*/*;q=0.8', connection: 'close' };
    // The signal also ends a response that never does.
    const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(timeLimit) });
    return { response, bytes: await bytesOf(response) };
  } catch (cause) {
    const advice = `Correct the address, or check ${what.toLowerCase()} in a browser.`;
    throw new StepFailure(reasonFor(cause, what), advice, { cause });
  }
}

async function bytesOf(response: Response): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Explains a request without a complete response. */
function reasonFor(error: unknown, what: string): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `${what} did not arrive in time.`;
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && /redirect count/.test(cause.message)) return `${what} redirects again and again.`;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no request was sent';
  return `${what} cannot be loaded (${code}).`;
}

function adviceOn(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return 'doctor needs an address that visitors can open without signing in, and that no bot protection blocks.';
    case 404:
    case 410:
      return 'Correct the address.';
    default:
      return 'Check the server of that address, then run doctor again.';
  }
}

function decoded(bytes: Buffer, contentType: string): string {
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // An unknown charset: tags and addresses are ASCII in nearly all of them.
    return bytes.toString();
  }
}
