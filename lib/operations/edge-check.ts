// Runs on CloudFront, as a CloudFront Function of the runtime cloudfront-js-2.0, which knows ECMAScript 5.1 and little
// more (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html). It
// imports nothing but types; `edge-function.ts` translates it and rejects syntax that the runtime lacks.

/** A response that does not depend on the request. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the function knows of the API. */
export interface EdgeConfig {
  /** Routes that anyone may call, such as `GET /portal`. A path that ends with a slash lacks its last segment. */
  readonly open: readonly string[];
  /** Paths of routes where a public key in the body can replace the token. */
  readonly publicKey: readonly string[];
  /** Beginnings of paths whose requests are signed. The rest of the path matches `programId`. */
  readonly signed: readonly string[];
  readonly programId: string;
  /** How much the time of a signature may differ from the present, in seconds. */
  readonly tolerance: number;
  readonly noToken: Refusal;
  readonly noSignature: Refusal;
  /** Deprecated routes, such as `POST /v1/conversion`: value of the header `deprecation`, and path of the successor. */
  readonly deprecated: Readonly<Record<string, readonly [deprecation: string, successor: string]>>;
  /** Origins whose pages may read responses. */
  readonly origins: readonly string[];
  readonly exposedHeaders: string;
  /** Host of the base URL; `null` for the name that CloudFront generated. */
  readonly host: string | null;
}

type Headers = Record<string, { readonly value: string; readonly multiValue?: readonly { readonly value: string }[] }>;

/** A viewer request (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html). */
export interface ViewerEvent {
  readonly context: { readonly distributionDomainName: string; readonly requestId: string };
  readonly request: { readonly method: string; readonly uri: string; readonly headers: Headers };
}

export interface ViewerResponse {
  readonly statusCode: number;
  readonly headers: Headers;
  readonly body: string;
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BEARER = /^[Bb][Ee][Aa][Rr][Ee][Rr] +rt[pa]_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;
const TIME = /^[1-9]\d{0,11}$/;
/** The CRC-32 of each value of four bits. */
const CRC = [
  0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c, 0xedb88320,
  0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
];

/**
 * Returns the API's response to a request that the API would refuse for its token or for the form of its signature;
 * `undefined` for all others. The API checks them again. Unknown paths need a token.
 */
export function refuse(config: EdgeConfig, event: ViewerEvent, now: number): ViewerResponse | undefined {
  const request = event.request;
  const refusal = refusalOf(config, request, now);
  if (!refusal) return undefined;
  const headers: Headers = { 'x-request-id': { value: event.context.requestId } };
  Object.keys(refusal.headers).forEach((name) => {
    headers[name] = { value: refusal.headers[name] ?? '' };
  });
  const deprecated = config.deprecated[`${request.method} ${request.uri}`];
  if (deprecated) {
    const host = config.host ?? event.context.distributionDomainName;
    headers['deprecation'] = { value: deprecated[0] };
    headers['link'] = { value: `<https://${host}${deprecated[1]}>; rel="successor-version"` };
  }
  const origin = headerOf(request, 'origin');
  const allowed = config.origins[0] === '*' ? '*' : origin;
  if (origin !== undefined && allowed !== undefined && config.origins.indexOf(allowed) >= 0) {
    headers['access-control-allow-origin'] = { value: allowed };
    headers['access-control-expose-headers'] = { value: config.exposedHeaders };
  }
  return { statusCode: refusal.status, headers, body: refusal.body };
}

function refusalOf(config: EdgeConfig, request: ViewerEvent['request'], now: number): Refusal | undefined {
  // As it was sent: an encoded path needs a token, whatever it may be.
  const path = request.uri;
  if (request.method === 'OPTIONS' || isOpen(config, `${request.method} ${path}`)) return undefined;
  if (request.method === 'POST') {
    const prefix = config.signed.filter((each) => path.indexOf(each) === 0)[0];
    // A path with more segments could be another route.
    if (prefix !== undefined && path.indexOf('/', prefix.length) < 0) {
      const isProgram = new RegExp(`^${config.programId}$`).test(path.slice(prefix.length));
      const isSigned = isPlausible(headerOf(request, 'stripe-signature') ?? '', now, config.tolerance);
      return isProgram && isSigned ? undefined : config.noSignature;
    }
  }
  const authorization = headerOf(request, 'authorization');
  if (authorization === undefined && config.publicKey.indexOf(path) >= 0) return undefined;
  return hasToken(authorization ?? '') ? undefined : config.noToken;
}

function isOpen(config: EdgeConfig, route: string): boolean {
  return config.open.indexOf(route) >= 0 || config.open.indexOf(route.slice(0, route.lastIndexOf('/') + 1)) >= 0;
}

/** Repeated headers are joined, as by API Gateway. */
function headerOf(request: ViewerEvent['request'], name: string): string | undefined {
  const header = request.headers[name];
  return header?.multiValue ? header.multiValue.map((each) => each.value).join(',') : header?.value;
}

/** As `isTokenShaped` in functions/kernel/accounts/rules/token.ts. */
function hasToken(authorization: string): boolean {
  const match = BEARER.exec(authorization);
  if (!match) return false;
  const secret = match[1] ?? '';
  let crc = -1;
  for (let index = 0; index < secret.length; index++) {
    crc ^= secret.codePointAt(index) ?? 0;
    crc = (crc >>> 4) ^ (CRC[crc & 15] ?? 0);
    crc = (crc >>> 4) ^ (CRC[crc & 15] ?? 0);
  }
  const sum = match[2] ?? '';
  let value = 0;
  for (let index = 0; index < sum.length; index++) value = value * 62 + DIGITS.indexOf(sum.charAt(index));
  return value === ~crc >>> 0;
}

/** As `isPlausible` in functions/stripe/rules/signature.ts. */
function isPlausible(header: string, now: number, tolerance: number): boolean {
  let time = '';
  let signatures = 0;
  let isComplete = true;
  header.split(',').forEach((part) => {
    const pair = part.split('=');
    const value = pair[1] ?? '';
    if (pair[0] === 't') time = value;
    if (pair[0] !== 'v1') return;
    signatures += 1;
    if (value === '') isComplete = false;
  });
  return TIME.test(time) && signatures > 0 && isComplete && Math.abs(now - Number(time)) <= tolerance;
}
