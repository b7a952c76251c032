import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { advocatesHandler } from '../../functions/advocates/handler.ts';
import type { HttpHandler } from '../../functions/http/context.ts';
import { referralsHandler } from '../../functions/referrals/handler.ts';
import { type FunctionName, ROUTES, type Route, routeKey } from '../../functions/routes.ts';
import type { SecretReader } from '../../functions/secrets/secrets.ts';
import { trackingHandler } from '../../functions/tracking/handler.ts';
import { Instances, type Surroundings } from './instance.ts';

/** A request to the API. */
export interface ApiRequest {
  readonly operation: keyof typeof ROUTES;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The time limit of the functions, in milliseconds. */
const TIME_LIMIT = 10_000;

/** The three functions behind the API, each with as many instances as there are requests at a time. */
export class Service {
  readonly #surroundings: Surroundings;
  readonly #functions: Readonly<Record<FunctionName, Instances<HttpHandler>>>;
  calls = 0;
  /** The longest time that a function took, in milliseconds. */
  longest = 0;

  constructor(surroundings: Surroundings, secrets: SecretReader) {
    this.#surroundings = surroundings;
    this.#functions = {
      tracking: new Instances(surroundings, (connection) => trackingHandler(connection, secrets)),
      advocates: new Instances(surroundings, advocatesHandler),
      referrals: new Instances(surroundings, referralsHandler),
    };
  }

  /** Sends a request. Resolves to `undefined` if the response is lost, or the function crashed. */
  async call(request: ApiRequest): Promise<ApiResponse | undefined> {
    const { world, rates } = this.#surroundings;
    this.calls += 1;
    const route: Route = ROUTES[request.operation];
    await world.pause(1 + world.chance.below(20));
    const start = world.now();
    const context = { getRemainingTimeInMillis: () => TIME_LIMIT - (world.now() - start) } as Context;
    const result = await this.#functions[route.function].invoke((handle) => handle(eventOf(route, request), context));
    this.longest = Math.max(this.longest, world.now() - start);
    await world.pause(1 + world.chance.below(20));
    if (result === 'crashed' || world.chance.happens(rates.lostResponse)) return undefined;
    return { status: result.statusCode ?? 200, headers: result.headers ?? {}, body: result.body ?? '' };
  }
}

/** Builds the event that API Gateway would send to a function. */
function eventOf(
  route: Route,
  { token, headers, parameters = {}, query = '', body }: ApiRequest,
): APIGatewayProxyEventV2 {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '');
  return {
    version: '2.0',
    routeKey: routeKey(route),
    rawPath: path,
    rawQueryString: query,
    headers: {
      host: 'api.example',
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    pathParameters: parameters,
    requestContext: { domainName: 'api.example', http: { method: route.method, path } },
    isBase64Encoded: false,
    ...(body !== undefined && { body }),
  } as unknown as APIGatewayProxyEventV2;
}
