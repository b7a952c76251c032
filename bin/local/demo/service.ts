import type { HttpResult } from '../../../functions/http/context.ts';

/** A response of the tracking service, which the shop passes on to its page. */
export interface ServiceResult extends HttpResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Longest wait for the tracking service, in milliseconds. The service itself gives up earlier. */
export const TIME_LIMIT = 15_000;
/** The header of a response that shop and page need. */
export const CODE = 'x-error-code';

/** The tracking service of this machine, as a server with this token calls it. */
export class Service {
  readonly #port: number;
  readonly #token: string;

  constructor(port: number, token: string) {
    this.#port = port;
    this.#token = token;
  }

  readonly get = (path: string): Promise<ServiceResult> => this.#call('GET', path);

  readonly post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    this.#call('POST', path, body, headers);

  readonly patch = (path: string, body: object): Promise<ServiceResult> => this.#call('PATCH', path, body);

  async #call(
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ServiceResult> {
    const response = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIME_LIMIT),
    });
    const code = response.headers.get(CODE);
    return jsonResult(response.status, await response.text(), code === null ? {} : { [CODE]: code });
  }
}

/** Builds a response with JSON that no cache stores. */
export function jsonResult(
  statusCode: number,
  body: string,
  headers?: Readonly<Record<string, string>>,
): ServiceResult {
  return { statusCode, headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers }, body };
}

/** Builds an error as the service would. */
export function errorResult(statusCode: number, error: string): ServiceResult {
  return jsonResult(statusCode, JSON.stringify({ error }));
}
