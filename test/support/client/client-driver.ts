import { inspect } from 'node:util';
import { expect } from '@jest/globals';
import { ReferralTrackingError, referralTracking } from '../../../client/src/client.ts';
import { ROUTES } from '../../../functions/routes.ts';
import type { ApiResponse, Connect } from '../drivers.ts';

/** A call of the client whose types the tests exceed: they also send invalid requests. */
type UntypedCall = (path: string, init: object) => Promise<{ data?: unknown }>;

/** Sends requests through the client, which sends its own through another driver. Fails if its result differs. */
export function sendThroughClient(connect: Connect): Connect {
  return (table, parts) => {
    const send = connect(table, parts);
    return async ({ operation, token, query, body, headers = {}, ...inPath }) => {
      const { slug, id, code, name, rulesId: rules_id, application, pk } = inPath;
      const { method, path } = ROUTES[operation];
      let received: ApiResponse | undefined;
      const fetch = async (request: Request) => {
        const text = await request.text();
        const { pathname, search } = new URL(request.url);
        const [, of = '', sent] = IN_PATH.exec(pathname) ?? [];
        received = await send({
          operation,
          ...(sent !== undefined && { [PARAMETERS[of] ?? 'id']: decodeURIComponent(sent) }),
          query: search.slice(1),
          headers: Object.fromEntries(request.headers),
          ...(text !== '' && { body: text }),
        });
        return new Response(received.text || null, received);
      };
      const client = referralTracking({ baseUrl: 'https://api.example.com', token, fetch });
      const call = client[method] as unknown as UntypedCall;
      const result = await call(path, {
        headers,
        params: { path: { slug, id, code, name, rules_id, application, pk }, query: parametersOf(query) },
        // `fetch` rejects a GET with a body.
        ...(method !== 'GET' && { body }),
        ...(typeof body === 'string' && { bodySerializer: () => body }),
      }).catch((error: unknown) => error);
      if (!received) throw result;
      if (result instanceof Error) expectReported(received, result, token);
      else expect(result).toMatchObject({ data: received.json });
      return received;
    };
  };
}

const IN_PATH =
  /^\/v2\/(?:affiliate\/)?(advocates|members|applications|apply|tokens|webhooks|codes|groups|commission-rules)\/([^/]*)/;
/** What the segment after these is, other than an id. */
const PARAMETERS: Readonly<Record<string, string>> = {
  advocates: 'slug',
  applications: 'application',
  apply: 'pk',
  codes: 'code',
  groups: 'name',
  'commission-rules': 'rulesId',
};

/** The parameters of a query. A repeated one is an array. */
function parametersOf(query: string | undefined): Record<string, string | string[]> {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries(
    [...parameters].map(([name, value]) => {
      const values = parameters.getAll(name);
      return [name, values.length > 1 ? values : value];
    }),
  );
}

/** The error has what the response says, and nowhere the token. */
function expectReported({ status, headers, json }: ApiResponse, error: Error, token: string | undefined): void {
  expect(error).toBeInstanceOf(ReferralTrackingError);
  expect({ ...error, message: error.message }).toEqual({
    name: 'ReferralTrackingError',
    message: json.error,
    status,
    code: headers['x-error-code'],
    requestId: headers['x-request-id'],
    retryAfter: headers['retry-after'] === undefined ? null : Number(headers['retry-after']),
  });
  expect(status).toBeGreaterThanOrEqual(400);
  if (token !== undefined) expect(inspect(error, { depth: null })).not.toContain(token);
}
