import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { domainOf } from '../dynamodb/endpoint-resolver.ts';
import { readEndpoint } from '../environment.ts';
import { RequestRefused, Unavailable } from '../errors.ts';
import { valueAt } from '../json.ts';

/** A service of AWS besides DynamoDB. */
export interface SignedService {
  /** Its name in signatures, and in host names unless they have another. */
  readonly name: string;
  readonly host?: string;
  /** The last part of the environment variable `AWS_ENDPOINT_URL_…`. */
  readonly variable: string;
}

/** A service whose actions are named in a header. */
export interface JsonService extends SignedService {
  /** Its name in prose. */
  readonly title: string;
  /** What precedes the action in `x-amz-target`. */
  readonly target: string;
  /** The version of the JSON protocol, by default 1.1. */
  readonly version?: '1.0';
}

export interface ServiceOptions {
  readonly region: string;
  readonly credentials: () => Promise<Credentials>;
  /** By default, the address in the environment (`readEndpoint`), or else AWS. */
  readonly endpoint?: string;
  /** Other time limits, for tests. */
  readonly limits?: typeof LIMITS;
}

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Calls an action of a service with JSON. Returns `undefined` for a response without a body. */
export type Call = (action: string, input: object) => Promise<unknown>;

/** Time limits in milliseconds: for the connection, for the headers of a response, and for silence within its body. */
const LIMITS = { connectionTimeout: 500, requestTimeout: 2000, socketTimeout: 2000 };

const MAX_ATTEMPTS = 3;
/** The longest pause before the second attempt, in milliseconds. It doubles. */
const FIRST_PAUSE = 100;

/** Sends a signed request, by default a POST. Throws `Unavailable` without a complete response. */
export type SendSigned = (request: {
  readonly method?: 'GET';
  /** After the path of the endpoint. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}) => Promise<SignedResponse>;

interface SignedResponse {
  readonly status: number;
  /** Their names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Returns a function that sends signed requests to a service. The SDK's own clients would each add some 30 KB to a bundle;
 * the signer and the HTTP handler are in every bundle already, with DynamoDB's client.
 */
export function signedSender(
  service: SignedService,
  { region, credentials, limits, ...options }: ServiceOptions,
): SendSigned {
  const signer = new SignatureV4({ credentials, region, service: service.name, sha256: Hash.bind(null, 'sha256') });
  const http = new NodeHttpHandler({ ...LIMITS, ...limits, throwOnRequestTimeout: true });
  const endpoint =
    options.endpoint ??
    readEndpoint(service.variable) ??
    `https://${service.host ?? service.name}.${region}.${domainOf(region)}`;
  const { protocol, hostname, port, host, pathname } = new URL(endpoint);
  return async ({ method = 'POST', path = '', headers, body }) => {
    const request = new HttpRequest({
      method,
      protocol,
      hostname,
      ...(port && { port: Number(port) }),
      path: path === '' ? pathname : pathname.replace(/\/$/, '') + path,
      headers: { host, ...headers },
      body,
    });
    return send(http, new HttpRequest(await signer.sign(request)));
  };
}

/** Returns a function that calls a service. It throws `Unavailable` or `RequestRefused`. */
export function callerOf(service: JsonService, options: ServiceOptions): Call {
  const sendSigned = signedSender(service, options);
  return async (action, input) => {
    const type = `application/x-amz-json-${service.version ?? '1.1'}`;
    const { status, body } = await sendSigned({
      headers: { 'content-type': type, 'x-amz-target': `${service.target}.${action}` },
      body: JSON.stringify(input),
    });
    // SQS responds without a body to actions that have no result.
    if (status < 300 && body === '') return undefined;
    const json = parseJson(body, service);
    if (status < 300) return json;
    const reason = String(valueAt(json, '__type')).replace(/^.*#/, '');
    const error = Object.assign(new Error(), { name: reason });
    throw status >= 500 || status === 429 || /Throttl|TooManyUpdates/.test(reason)
      ? new Unavailable(error, reason)
      : new RequestRefused(error, reason);
  };
}

/**
 * Makes a function try at most three times if the service does not respond, fails or throttles. For actions that may be
 * repeated.
 */
export function retrying(call: Call): Call {
  return async (action, input) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call(action, input);
      } catch (error) {
        if (!(error instanceof Unavailable) || attempt === MAX_ATTEMPTS) throw error;
      }
      await setTimeout(Math.random() * FIRST_PAUSE * 2 ** (attempt - 1));
    }
  };
}

async function send(http: NodeHttpHandler, request: HttpRequest): Promise<SignedResponse> {
  try {
    const { response } = await http.handle(request);
    return { status: response.statusCode, headers: response.headers, body: await text(response.body) };
  } catch (error) {
    throw new Unavailable(error);
  }
}

/** Parses JSON. The error has no cause, because the message of a syntax error repeats the text, and so a secret. */
export function parseJson(json: string, service: JsonService): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw missing('JSON', service);
  }
}

/** Returns a text in the response of a service. Throws `Unavailable` if it is missing. */
export function textAt(service: JsonService, value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  if (typeof found !== 'string') throw missing(path.join('.'), service);
  return found;
}

/** The error for a response without something that it must contain. */
export const missing = (what: string, { title }: JsonService) =>
  new Unavailable(new Error(`${title} returned no ${what}.`));
