import { fieldOf, textOf } from './fields.ts';

/** A response of the service, or of the merchant's backend. */
export interface Reply {
  /** 0 if there was no response. */
  readonly status: number;
  /** The stable code of an error, such as `slug_taken`; empty if there is none. */
  readonly code: string;
  /** A sentence for the visitor if the request failed, else null. */
  readonly problem: string | null;
  readonly json: unknown;
  readonly link: string;
}

const UNREACHABLE = 'The service does not respond. Check that npm start is still running.';
const BUSY = 'The service receives more requests than it allows. Wait a moment.';

/** Timeout of a request in milliseconds. */
const TIMEOUT = 30_000;

/** Sends a form to the merchant's backend. */
export function report(action: string, form: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  return send(`/demo/${action}`, { method: 'POST', headers, body: JSON.stringify(form) });
}

/** Sends a request. Never rejects: a request without a response has the status 0. */
export async function send(address: string, init?: RequestInit): Promise<Reply> {
  try {
    const response = await fetch(address, { ...init, signal: AbortSignal.timeout(TIMEOUT) });
    const { ok, status, headers } = response;
    // 202 and 204 have no body.
    const json: unknown = JSON.parse((await response.text()) || 'null');
    const error = textOf(fieldOf(json, 'error'));
    const problem = ok ? null : error === null ? (status === 429 ? BUSY : UNREACHABLE) : sentenceOf(error);
    return { status, code: headers.get('x-error-code') ?? '', problem, json, link: headers.get('link') ?? '' };
  } catch {
    return { status: 0, code: '', problem: UNREACHABLE, json: null, link: '' };
  }
}

/** An error of the API often starts with the name of a field, and ends without a period. */
function sentenceOf(error: string): string {
  return `${error.charAt(0).toUpperCase()}${error.slice(1).replace(/\.$/, '')}.`;
}
