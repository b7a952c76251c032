import { isObject, valueAt } from '../../kernel/json.ts';

/** The revision of the protocol, and the one whose clients begin with `initialize` and declare nothing in `_meta`. */
export const REVISION = '2026-07-28';
export const EARLIER_REVISION = '2025-11-25';
const REVISIONS = [REVISION, EARLIER_REVISION] as const;
export type Revision = (typeof REVISIONS)[number];

/** The protocol's own keys in `_meta` (https://modelcontextprotocol.io/specification/2026-07-28/basic#meta). */
const META = 'io.modelcontextprotocol/';

/** The errors of JSON-RPC 2.0 and of the protocol. */
const CODES = { notFound: -32601, invalid: -32602, mismatch: -32020, unsupported: -32022 } as const;

/** The protocol refuses a message. */
export class ProtocolError extends Error {
  readonly code: number;
  readonly status: number;
  readonly data: object | undefined;

  constructor(kind: keyof typeof CODES, message: string, data?: object) {
    super(message);
    this.code = CODES[kind];
    this.status = kind === 'notFound' ? 404 : 400;
    this.data = data;
  }
}

export interface Message {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** Returns the revision that a request declares. Throws `ProtocolError` if it lacks what this revision demands. */
export function revisionOf(message: Message, headers: Headers): Revision {
  const { params } = message;
  const header = headers['mcp-protocol-version'];
  const declared = valueAt(params, '_meta', `${META}protocolVersion`);
  const mismatch = declared !== undefined && mirrored(message, headers).find(([, given, body]) => given !== body);
  if (mismatch) throw new ProtocolError('mismatch', `The header ${mismatch[0]} is missing, or differs from the body`);
  const requested = declared ?? header ?? EARLIER_REVISION;
  const revision = REVISIONS.find((each) => each === requested);
  if (!revision)
    throw new ProtocolError('unsupported', 'Unsupported protocol version', { supported: REVISIONS, requested });
  if (revision === REVISION && !isObject(valueAt(params, '_meta', `${META}clientCapabilities`)))
    throw new ProtocolError('invalid', `params._meta must have ${META}protocolVersion and ${META}clientCapabilities`);
  return revision;
}

/** What a client repeats in headers: the name of a header, its value, and the value in the body. */
function mirrored({ method, params }: Message, headers: Headers): [name: string, given: unknown, body: unknown][] {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(headers['mcp-name'] ?? '') ?? [];
  const name = encoded === undefined ? headers['mcp-name'] : Buffer.from(encoded, 'base64').toString();
  return [
    ['MCP-Protocol-Version', headers['mcp-protocol-version'], valueAt(params, '_meta', `${META}protocolVersion`)],
    ['Mcp-Method', headers['mcp-method'], method],
    ['Mcp-Name', method === 'tools/call' ? name : undefined, method === 'tools/call' ? params['name'] : undefined],
  ];
}

/** A result as clients of a revision expect it. */
export const resultFor = (revision: Revision, server: object, result: object): object =>
  revision === REVISION ? { resultType: 'complete', _meta: { [`${META}serverInfo`]: server }, ...result } : result;

/** The sentence about a page of another site. */
export const FOREIGN_ORIGIN =
  "Origin is neither this service nor one of the program's allowed origins: call from a server";
/** The sentence to a client that asks for a stream. */
export const NO_STREAM = 'The service sends no stream: send each message with POST';
