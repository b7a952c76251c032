import { fieldOf, textOf } from './dom.ts';

/** A response of the merchant's backend, which passes on the response of the service. */
interface Reply {
  /** 0 if there was no response. */
  readonly status: number;
  /** A sentence for the visitor if the request failed, else null. */
  readonly problem: string | null;
  readonly json: unknown;
}

const UNREACHABLE = 'The service does not respond. Check that npm start is still running.';
const BUSY = 'The service receives more requests than it allows. Wait a moment.';

/** Timeout of a request in milliseconds. */
const TIMEOUT = 30_000;

/** Sends a form to the merchant's backend. Never rejects: a request without a response has the status 0. */
export async function report(action: string, form: Readonly<Record<string, string>> = {}): Promise<Reply> {
  try {
    const response = await fetch(`/demo/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(form),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const { ok, status } = response;
    // 202 and 204 have no body.
    const json: unknown = JSON.parse((await response.text()) || 'null');
    const error = textOf(fieldOf(json, 'error'));
    const problem = ok ? null : error === null ? (status === 429 ? BUSY : UNREACHABLE) : sentenceOf(error);
    return { status, problem, json };
  } catch {
    return { status: 0, problem: UNREACHABLE, json: null };
  }
}

/** An error of the API often starts with the name of a field, and ends without a period. */
function sentenceOf(error: string): string {
  return `${error.charAt(0).toUpperCase()}${error.slice(1).replace(/\.$/, '')}.`;
}
