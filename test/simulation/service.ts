import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { pagesBuiltOnUse } from '../../bin/service/web-pages.ts';
import { advocatesHandler } from '../../functions/api/advocates.ts';
import { integrationsHandler } from '../../functions/api/integrations.ts';
import { peopleHandler } from '../../functions/api/people.ts';
import { referralsHandler } from '../../functions/api/referrals.ts';
import { trackingHandler } from '../../functions/api/tracking.ts';
import type { HttpHandler, HttpResult } from '../../functions/kernel/http/context.ts';
import { FUNCTIONS, type FunctionName, type Route, routeKey } from '../../functions/kernel/http/route.ts';
import { type OperationId, ROUTES } from '../../functions/routes.ts';
import type { IntegrationParts } from '../../functions/webhooks/http/parts.ts';
import { unavailableOnFailure } from '../../functions/webhooks/stream/unavailable-queue.ts';
import { Instances, type Surroundings } from './instance.ts';
import type { Knowledge } from './knowledge.ts';
import type { Sessions } from './sessions.ts';
import type { Shop } from './shops.ts';
import type { Statements } from './statements.ts';
import type { Tenants } from './tenants.ts';
import type { Versions } from './versions.ts';

/** All instances share it, so that each page is built once. */
const readPage = pagesBuiltOnUse();

/** A request to the API. */
export interface ApiRequest {
  readonly operation: OperationId;
  readonly shop: Shop;
  readonly token?: string | undefined;
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

/** A deliberate fault of the service, by which tests show that a promise is checked. */
export interface Sabotage {
  readonly response?: (request: ApiRequest, response: ApiResponse) => ApiResponse;
  /** How long a function takes in addition, in milliseconds. */
  readonly slowness?: number;
}

/** What checks the responses. */
interface Checks {
  readonly knowledge: Knowledge;
  readonly tenants: Tenants;
  readonly versions: Versions;
  readonly statements: Statements;
  readonly sessions: Sessions;
  readonly sabotage: Sabotage;
}

/** The functions behind the API, each with as many instances as there are requests at a time. */
export class Service {
  readonly #surroundings: Surroundings;
  readonly #functions: Readonly<Record<FunctionName, Instances<HttpHandler>>>;
  readonly #checks: Checks;
  calls = 0;
  /** How often each operation succeeded. */
  readonly successes = new Map<OperationId, number>();
  /** The longest time that a function took, in milliseconds. */
  longest = 0;

  constructor(
    surroundings: Surroundings,
    { secrets, queue, send }: Pick<IntegrationParts, 'secrets' | 'queue' | 'send'>,
    checks: Checks,
  ) {
    this.#surroundings = surroundings;
    this.#checks = checks;
    this.#functions = {
      tracking: new Instances(surroundings, (connection) => trackingHandler(connection, secrets, readPage)),
      advocates: new Instances(surroundings, (connection) => advocatesHandler(connection)),
      referrals: new Instances(surroundings, (connection) => referralsHandler(connection)),
      integrations: new Instances(surroundings, (connection) =>
        integrationsHandler(connection, { secrets, queue: unavailableOnFailure(queue), send, isLocal: false }),
      ),
      people: new Instances(surroundings, (connection) => peopleHandler(connection, () => undefined)),
    };
  }

  /** Sends a request. Resolves to `undefined` if the response is lost, or the function crashed. */
  async call(request: ApiRequest): Promise<ApiResponse | undefined> {
    const { world, rates } = this.#surroundings;
    this.calls += 1;
    const route: Route = ROUTES[request.operation];
    await world.pause(1 + world.chance.below(20));
    const start = world.now();
    const limit = FUNCTIONS[route.function].timeout * 1000;
    const context = { getRemainingTimeInMillis: () => limit - (world.now() - start) } as Context;
    const since = this.#checks.versions.count;
    const entries = this.#checks.statements.count;
    const sessions = this.#checks.sessions.count;
    let writer: object | undefined;
    const result = await this.#functions[route.function].invoke((handle, instance) => {
      writer = instance;
      return handle(eventOf(route, request), context);
    });
    const response = result === 'crashed' ? undefined : this.#toResponse(request, result);
    const problem =
      this.#checks.versions.problemOf({ request, response, since, writer }) ??
      this.#checks.statements.problemOf(request, response, entries) ??
      this.#checks.sessions.problemOf({ request, response, since: sessions, writer });
    if (problem) this.#checks.knowledge.report(...problem);
    if (this.#checks.sabotage.slowness !== undefined) await world.pause(this.#checks.sabotage.slowness);
    const duration = world.now() - start;
    this.longest = Math.max(this.longest, duration);
    if (duration > limit) this.#checks.knowledge.report('deadline', `${request.operation} took ${duration} ms`);
    await world.pause(1 + world.chance.below(20));
    if (!response || world.chance.happens(rates.lostResponse)) return undefined;
    return this.#checked(request, response);
  }

  #toResponse(request: ApiRequest, { statusCode: status = 200, headers = {}, body = '' }: HttpResult): ApiResponse {
    const response = { status, headers, body };
    return this.#checks.sabotage.response?.(request, response) ?? response;
  }

  #checked(request: ApiRequest, response: ApiResponse): ApiResponse {
    const { operation, shop } = request;
    if (response.status < 300) this.successes.set(operation, (this.successes.get(operation) ?? 0) + 1);
    const foreign = this.#checks.tenants.foreignIn(response.body, shop.program.id);
    if (foreign !== undefined)
      this.#checks.knowledge.report('tenants', `${operation} returned ${foreign} to ${shop.mark}`);
    return response;
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
