import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { unescape as decoded } from 'node:querystring';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { methodsOf, type Route } from '../../functions/kernel/http/route.ts';
import { ROUTES } from '../../functions/routes.ts';

/** The target of a request. Path and query are as they were sent, neither decoded nor normalized. */
export interface RequestTarget {
  /** Host name in lower case, with the port unless it is 80. */
  readonly host: string;
  readonly path: string;
  /** With its "?", or empty. */
  readonly search: string;
}

// RFC 3986 section 3.2.2, without user information, which RFC 9110 section 4.2.4 forbids.
const HOST_AND_PORT = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d*)?$/i;
/** A body of these types is text in the event if it is valid UTF-8. All other bodies are in base64. */
const TEXT_TYPE = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml)\b|application\/javascript\b)/i;

/** Reads path, query and Host header. Returns `undefined` for a 400: the service uses the host in links. */
export function targetOf({ url = '', headersDistinct, socket }: IncomingMessage): RequestTarget | undefined {
  // An HTTP/1.0 request may lack the header. The URL parser alone drops tabs and accepts a path, the pattern port 99999.
  const [header = `localhost:${socket.localPort}`, ...others] = headersDistinct['host'] ?? [];
  const parsed = HOST_AND_PORT.test(header) ? URL.parse(`http://${header}`) : null;
  if (!parsed || others.length > 0 || !url.startsWith('/')) return undefined;
  const [path = ''] = url.split('?', 1);
  return { host: parsed.host, path, search: url.slice(path.length) };
}

interface MatchedRoute {
  readonly route: Route;
  /** The route key of API Gateway, with the method of the request. */
  readonly key: string;
  readonly path: string;
  readonly pathParameters: Record<string, string> | undefined;
}

const PATTERNS = Object.values(ROUTES).map((route: Route) => ({
  route,
  methods: new Set<string>(methodsOf(route)),
  // A parameter is one segment and not empty.
  pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

/**
 * Finds the route of a request; `undefined` if no route matches. As an HTTP API does, it decodes the path once before it
 * looks up the route, so an encoded slash separates segments, and the event contains the decoded path: AWS's own test
 * tool asserts the same of deployed APIs (aws/aws-lambda-dotnet, Tools/LambdaTestTool-v2). AWS does not document what an
 * invalid encoding becomes: here it stays as it is, and invalid UTF-8 becomes U+FFFD, so no slug contains either.
 */
export function matchRoute(method: string, rawPath: string): MatchedRoute | undefined {
  const path = decoded(rawPath);
  for (const { route, methods, pattern } of PATTERNS) {
    const match = methods.has(method) ? pattern.exec(path) : null;
    if (match)
      return { key: `${method} ${route.path}`, route, path, pathParameters: match.groups && { ...match.groups } };
  }
  return undefined;
}

/**
 * Builds the event that API Gateway's HTTP API would build from a request, in payload format 2.0:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function eventOf(
  request: IncomingMessage,
  { host, search }: RequestTarget,
  { key, path, pathParameters }: MatchedRoute,
  body: Buffer,
): APIGatewayProxyEventV2 {
  const { method = 'GET', headersDistinct, httpVersion, socket } = request;
  const rawQueryString = search.slice(1);
  const parameters = new URLSearchParams(rawQueryString);
  const { cookie, ...repeatable } = headersDistinct;
  // API Gateway joins the values of a repeated header or parameter with commas.
  const headers = Object.fromEntries(Object.entries(repeatable).map(([name, values = []]) => [name, values.join(',')]));
  const sourceIp = socket.remoteAddress ?? '127.0.0.1';
  const now = new Date();
  return {
    version: '2.0',
    routeKey: key,
    rawPath: path,
    rawQueryString,
    ...(cookie && { cookies: cookie.flatMap((header) => header.split('; ')) }),
    headers: {
      ...headers,
      host,
      'x-forwarded-for': sourceIp,
      'x-forwarded-port': String(socket.localPort),
      'x-forwarded-proto': 'http',
    },
    ...(rawQueryString !== '' && {
      queryStringParameters: Object.fromEntries(
        [...parameters.keys()].map((name) => [name, parameters.getAll(name).join(',')]),
      ),
    }),
    ...(pathParameters && { pathParameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: host,
      domainPrefix: host.split('.')[0] ?? host,
      http: { method, path, protocol: `HTTP/${httpVersion}`, sourceIp, userAgent: headers['user-agent'] ?? '' },
      requestId: randomUUID(),
      routeKey: key,
      stage: '$default',
      time: logTime(now),
      timeEpoch: now.getTime(),
    },
    ...bodyOf(body, headers['content-type'] ?? ''),
  };
}

function bodyOf(body: Buffer, contentType: string): Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'> {
  if (body.length === 0) return { isBase64Encoded: false };
  const isText = TEXT_TYPE.test(contentType) && isUtf8(body);
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

/** The time format of web server logs: `12/Mar/2020:19:03:58 +0000`. */
function logTime(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

/** Builds the context of a call. The functions use only the remaining time: at first `timeout`, in seconds. */
export function contextOf(functionName: string, timeout = 10): Context {
  const end = performance.now() + timeout * 1000;
  const ignore = () => undefined;
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    memoryLimitInMB: '512',
    awsRequestId: randomUUID(),
    logGroupName: functionName,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(end - performance.now())),
    done: ignore,
    fail: ignore,
    succeed: ignore,
  };
}
