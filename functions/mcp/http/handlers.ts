import type { TokenCaller } from '../../kernel/accounts/rules/caller.ts';
import { listsOrigin } from '../../kernel/accounts/rules/program.ts';
import { InvalidField, ServiceError } from '../../kernel/errors.ts';
import { setsAny } from '../../kernel/http/authentication.ts';
import type { HttpEvent, HttpHandler } from '../../kernel/http/context.ts';
import { urlOf } from '../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../kernel/http/route-handler.ts';
import { validBody } from '../../kernel/http/validation.ts';
import { FOREIGN_ORIGIN, NO_STREAM } from '../rules/protocol.ts';
import { respond } from './respond.ts';
import { MCP_ROUTES } from './routes.ts';
import { TOOLS } from './tools.js';
import { mcpMessage } from './validators.js';

interface McpParts {
  /** Carries out an operation as its own route would. */
  readonly operations: HttpHandler;
  /** True with `events=on`. */
  readonly hasEvents: boolean;
}

/** The operations of the Model Context Protocol. */
export const mcpHandlers = <Table>(service: Service<Table>, { operations, hasEvents }: McpParts) => ({
  /** `POST /mcp`: one message of an assistant, without a session. */
  callMcp: routeHandler({
    route: MCP_ROUTES.callMcp,
    service,
    input: (_, body) => ({ ...validBody(body, mcpMessage), hasId: setsAny(['id'], body) }),
    handle: async ({ caller, input: { id, hasId, method, params = {} }, event, context }) => {
      checkOrigin(event, caller);
      // A notification gets no response.
      if (id === undefined && !hasId) return { statusCode: 202, headers: { 'cache-control': 'no-store' } };
      // An empty text counts as absent, and JSON's larger numbers lose digits.
      if (id === undefined || (typeof id === 'number' && !Number.isSafeInteger(id)))
        throw new InvalidField('id', 'must be a text, or a whole number below 2^53');
      return respond(id, { method, params }, toolsOf(caller, hasEvents), {
        operation: (inner) => operations(inner, context),
        event,
        masksEmails: caller.program.assistantsSeeEmail === 'masked',
      });
    },
  }),
  /** `GET /mcp`: the service sends nothing by itself. */
  openMcpStream: routeHandler({
    route: MCP_ROUTES.openMcpStream,
    service,
    input: () => undefined,
    handle: () => Promise.reject(new ServiceError('method_not_allowed', NO_STREAM)),
  }),
});

/** Only browsers send an `Origin`. Without this check, a page of any site could use a token that it has found. */
function checkOrigin(event: HttpEvent, { program }: TokenCaller): void {
  const { origin } = event.headers;
  const own = new URL(urlOf(event, '/'));
  // On a laptop, another name that leads here may be an attacker's (DNS rebinding).
  const isOwn = origin === own.origin && (own.protocol === 'https:' || isLoopback(own.hostname));
  if (origin === undefined || isOwn || listsOrigin(program, origin)) return;
  throw new ServiceError('forbidden', FOREIGN_ORIGIN);
}

const isLoopback = (host: string) => /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(host);

/** The tools that a token may call. */
const toolsOf = ({ kind, token: { scopes } }: TokenCaller, hasEvents: boolean) =>
  TOOLS.filter(
    ({ token, scope, needsEvents }) =>
      token === kind && (scope === null || scopes.includes(scope)) && (hasEvents || !needsEvents),
  );
