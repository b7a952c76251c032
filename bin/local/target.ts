import type { IncomingMessage } from 'node:http';

/** The target of a request. Path and query are as they were sent, neither decoded nor normalized. */
export interface RequestTarget {
  /** Host name in lower case, with the port unless it is 80. */
  readonly host: string;
  readonly path: string;
  /** With its "?", or empty. */
  readonly search: string;
}

// RFC 9112 sections 3.2.1 and 3.2.2. A fragment is never part of a request target.
const ORIGIN_FORM = /^(?<path>\/[^?#]*)(?<search>\?[^#]*)?$/;
const ABSOLUTE_FORM = /^http:\/\/(?<host>[^/?#]*)(?<path>\/[^?#]*)?(?<search>\?[^#]*)?$/i;
// RFC 3986 section 3.2.2, without the user information that RFC 9110 section 4.2.4 rules out.
const HOST_AND_PORT = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d*)?$/i;

/**
 * Reads target and Host header of a request as RFC 9112 section 3.2 says: the host of a target in absolute form wins over
 * the header. `undefined` if either is not valid, which an HTTP server answers with 400.
 */
export function targetOf(request: IncomingMessage): RequestTarget | undefined {
  const { method, url = '', headersDistinct, socket } = request;
  // Node rejects an HTTP/1.1 request without Host. An HTTP/1.0 request may lack it.
  const [header = `localhost:${socket.localPort}`, ...others] = headersDistinct['host'] ?? [];
  const host = parseHost(header);
  if (host === undefined || others.length > 0) return undefined;
  if (url === '*') return method === 'OPTIONS' ? { host, path: '*', search: '' } : undefined;
  const target = (ORIGIN_FORM.exec(url) ?? ABSOLUTE_FORM.exec(url))?.groups;
  if (!target) return undefined;
  const effective = target['host'] === undefined ? host : parseHost(target['host']);
  if (effective === undefined) return undefined;
  return { host: effective, path: target['path'] ?? '/', search: target['search'] ?? '' };
}

function parseHost(text: string): string | undefined {
  // The URL parser alone is not enough: it drops tabs and accepts a path. The pattern alone accepts port 99999.
  const url = HOST_AND_PORT.test(text) ? URL.parse(`http://${text}`) : null;
  return url?.host;
}
