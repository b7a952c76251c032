import { type Route, routeKey, settingOf } from '../../functions/kernel/http/route.ts';
import { ROUTES } from '../../functions/routes.ts';
import { check, equal } from './checks.ts';
import { operationsOf, REQUESTS } from './requests.ts';
import { ORIGIN, type Response, send, toResponse, type World } from './world.ts';

/** A header that differs between the local service and the emulator, in some responses, and why. */
interface Difference {
  readonly header: string;
  readonly in?: (response: Response) => boolean;
  readonly reason: string;
}

/** The response of API Gateway to an unknown route. */
const NO_ROUTE = '{"message":"Not Found"}';

const DIFFERENCES: readonly Difference[] = [
  { header: 'apigw-requestid', reason: 'API Gateway adds it, on AWS as well' },
  { header: 'vary', reason: 'the emulator sends Vary: Origin although all origins are allowed' },
  {
    header: 'content-type',
    in: ({ status }) => status === 204,
    reason: 'the emulator adds a type to responses without a body',
  },
  {
    header: 'access-control-expose-headers',
    in: ({ headers }) => 'access-control-max-age' in headers,
    reason: 'the emulator also adds it to preflight responses',
  },
  ...['access-control-allow-origin', 'access-control-expose-headers'].map((header) => ({
    header,
    in: ({ body }: Response) => body === NO_ROUTE,
    reason: 'AWS documents these headers for the responses of a function only; the local service adds them to all',
  })),
  ...['content-length', 'connection', 'keep-alive'].map((header) => ({ header, reason: 'belongs to the connection' })),
];
/** Differences that occurred. A difference that no longer occurs must leave the list. */
const occurred = new Set<Difference>();

/** True for a route that only some settings deploy. */
const isOptional = (route: Route) => settingOf(route) !== undefined;

/** Compares the plain deployment with the local service: all routes that it has, and other requests. */
export async function compareAll(local: World, deployed: World): Promise<void> {
  await compareRoutes(local, deployed, (route) => !isOptional(route));
  await check('routes that are not deployed do not exist', async () => {
    for (const operation of operationsOf(isOptional)) {
      const { status, body } = await send(deployed, operation, { token: deployed.token, path: { id: 'none' } });
      equal([status, body], [404, NO_ROUTE], operation);
    }
  });
  for (const [name, path, init] of OTHERS) {
    const request = async ({ baseUrl }: World) => toResponse(await fetch(`${baseUrl}${path}`, init));
    await check(`${name} responds like npm start`, () => compare(name, local, deployed, request));
  }
  await check('every known difference of the emulator still occurs', async () =>
    equal(
      DIFFERENCES.filter((one) => !occurred.has(one)),
      [],
    ),
  );
}

/** Compares the routes that a setting adds. */
export const compareOptional = (local: World, deployed: World): Promise<void> =>
  compareRoutes(local, deployed, isOptional);

/** Sends the requests of some routes to the local service and to the deployed one, one check for each route. */
async function compareRoutes(local: World, deployed: World, isWanted: (route: Route) => boolean): Promise<void> {
  for (const operation of operationsOf(isWanted)) {
    const requests = REQUESTS[operation];
    await check(`${routeKey(ROUTES[operation])} responds like npm start (${requests.length} requests)`, async () => {
      for (const [index, build] of requests.entries())
        await compare(`request ${index + 1}`, local, deployed, async (world) =>
          send(world, operation, await build(world)),
        );
    });
  }
}

/** Requests that API Gateway itself responds to. */
const OTHERS: readonly (readonly [name: string, path: string, init: RequestInit])[] = [
  [
    'A preflight request',
    '/v2/tracking/click',
    { method: 'OPTIONS', headers: { origin: ORIGIN, 'access-control-request-method': 'POST' } },
  ],
  ['An unknown path', '/v2/unknown', { headers: { origin: ORIGIN } }],
  ['An unknown method', '/v2/tracking/click', { method: 'DELETE', headers: { origin: ORIGIN } }],
];

async function compare(name: string, local: World, deployed: World, request: (world: World) => Promise<Response>) {
  const [expected, actual] = await Promise.all(
    [local, deployed].map(async (world) => {
      const response = await request(world);
      // A busy emulator may exceed the functions' limits for DynamoDB. A client repeats the request then.
      return comparable(response.status === 503 ? await request(world) : response, world);
    }),
  );
  if (!expected || !actual) return;
  for (const difference of DIFFERENCES) {
    const { header } = difference;
    const isKnown = expected.headers[header] !== actual.headers[header] && (difference.in?.(actual) ?? true);
    if (!isKnown) continue;
    occurred.add(difference);
    for (const { headers } of [expected, actual]) delete headers[header];
  }
  equal(actual, expected, name);
}

/** Replaces what differs between two services: ids, times, tokens, secrets and addresses. */
function comparable({ status, headers, body }: Response, world: World) {
  const stable = (text: string) =>
    text
      .replaceAll(world.baseUrl, '<base url>')
      // The function knows no port: AWS has only one. A page may be framed by all ports of this computer.
      .replaceAll('http://localhost:*', '<any port>')
      .replaceAll(world.baseUrl.replace(/:\d+$/, ''), '<base url>')
      .replace(/(?<=cursor=)[\w-]+/g, '<cursor>')
      .replaceAll(world.publicKey, '<public key>')
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/\b1[789]\d{8}\b/g, '<second>')
      // One service may take several steps in the same second, and the other one not: then their order differs.
      .replace(/(?<="steps":\[)[^\]]*/g, (steps) => (steps.match(/\{[^}]*\}/g) ?? []).toSorted().join())
      .replace(/\b1[789]\d{11}\b/g, '<millisecond>')
      .replace(/(?<="duration_ms":)\d+/g, '<duration>')
      .replace(/\bwhsec_[\w+/=]+/g, '<secret>')
      .replace(/\brt[pa]_\w+/g, '<token>');
  const entries = Object.entries(headers)
    .map(([name, value]): [string, string] => [name, ['x-request-id', 'date'].includes(name) ? '<any>' : stable(value)])
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { status, headers: Object.fromEntries(entries), body: stable(body) };
}
