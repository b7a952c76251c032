import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { RequestTarget } from './target.ts';

/** What API Gateway passes on as text; every other body it passes on in base64. */
const TEXT_TYPE = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml)\b|application\/javascript\b)/i;
const STAGE = '$default';
/** The functions' time limit of the stack, in milliseconds. */
const TIME_LIMIT = 10_000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The event that API Gateway's HTTP API would make of a request, payload format 2.0:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function eventOf(
  request: IncomingMessage,
  { host, path, search }: RequestTarget,
  routeKey: string,
  body: Buffer,
): APIGatewayProxyEventV2 {
  const { method = 'GET', socket } = request;
  const rawQueryString = search.slice(1);
  const { cookie: _, ...headers } = joined(request.headersDistinct);
  const cookies = request.headersDistinct['cookie']?.flatMap((header) => header.split('; '));
  const now = new Date();
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString,
    ...(cookies && { cookies }),
    headers: {
      ...headers,
      host,
      'x-forwarded-for': socket.remoteAddress ?? '127.0.0.1',
      'x-forwarded-port': String(socket.localPort),
      'x-forwarded-proto': 'http',
    },
    ...(rawQueryString !== '' && { queryStringParameters: parametersOf(rawQueryString) }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: host,
      domainPrefix: host.split('.')[0] ?? host,
      http: {
        method,
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: socket.remoteAddress ?? '127.0.0.1',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey,
      stage: STAGE,
      time: logTime(now),
      timeEpoch: now.getTime(),
    },
    ...bodyOf(body, headers['content-type'] ?? ''),
  };
}

/** The context that Lambda would pass with an event: only the time that is left matters here. */
export function contextOf(functionName: string): Context {
  const end = performance.now() + TIME_LIMIT;
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

function bodyOf(body: Buffer, contentType: string): Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'> {
  if (body.length === 0) return { isBase64Encoded: false };
  try {
    if (TEXT_TYPE.test(contentType)) return { body: utf8.decode(body), isBase64Encoded: false };
  } catch {
    // Not text after all: it goes on as it is.
  }
  return { body: body.toString('base64'), isBase64Encoded: true };
}

/** A header that is given several times is one, its values joined by commas. */
function joined(headers: IncomingMessage['headersDistinct']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, values = []]) => [name, values.join(',')]));
}

function parametersOf(rawQueryString: string): Record<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    const before = parameters.get(name);
    parameters.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(parameters);
}

/** The time of a web server's log: `12/Mar/2020:19:03:58 +0000`. */
function logTime(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
