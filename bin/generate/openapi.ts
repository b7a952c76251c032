import type { TokenCaller } from '../../functions/domain/caller.ts';
import { type Access, type OperationId, ROUTES, type Route } from '../../functions/routes.ts';
import { INFO, SERVERS, TAGS } from './description.ts';
import type { GeneratedFile } from './files.ts';
import { headerComponents } from './headers.ts';
import { type JsonObject, mapValues } from './json.ts';
import { OPERATIONS } from './operations.ts';
import { parameterComponents, parametersOf } from './parameters.ts';
import { contentOf, responsesOf } from './responses.ts';
import { schemaComponents } from './schemas.ts';

const TOKENS: Readonly<Record<TokenCaller['kind'], { readonly name: string; readonly description: string }>> = {
  program: { name: 'programToken', description: "Token for the merchant's server; begins with `rtp_`." },
  affiliate: { name: 'affiliateToken', description: 'Token for one advocate; begins with `rta_`.' },
};

const withToken = (kind: TokenCaller['kind']) => ({ [TOKENS[kind].name]: [] });

/** Alternatives of which a caller needs one; `{}` asks for no token, and an empty list for nothing at all. */
const SECURITY: Readonly<Record<Access, readonly JsonObject[]>> = {
  program: [withToken('program')],
  affiliate: [withToken('affiliate')],
  'program or page': [withToken('program'), {}],
  anyone: [],
};

/** `openapi.json`: the document as it is committed and served. */
export function openapiFile(): GeneratedFile {
  return { path: 'openapi.json', text: `${JSON.stringify(openapiDocument(), null, 2)}\n` };
}

/** The OpenAPI 3.1 document, generated from the routes and from the schemas that validate. */
export function openapiDocument(): JsonObject {
  return {
    openapi: '3.1.1',
    info: INFO,
    servers: SERVERS,
    tags: Object.values(TAGS),
    paths: paths(),
    components: {
      securitySchemes: Object.fromEntries(
        Object.values(TOKENS).map(({ name, description }) => [name, { type: 'http', scheme: 'bearer', description }]),
      ),
      schemas: schemaComponents(),
      parameters: parameterComponents(),
      headers: headerComponents(),
    },
  };
}

function paths(): JsonObject {
  const ids = Object.keys(ROUTES).filter(isOperationId);
  const byPath = Object.groupBy(ids, (id) => ROUTES[id].path);
  return mapValues(byPath, (of = []) =>
    Object.fromEntries(of.map((id) => [ROUTES[id].method.toLowerCase(), operationOf(id)])),
  );
}

function isOperationId(id: string): id is OperationId {
  return Object.hasOwn(ROUTES, id);
}

function operationOf(id: OperationId): JsonObject {
  const route: Route = ROUTES[id];
  const operation = OPERATIONS[id];
  const { summary, description, requestHeaders, query, body } = operation;
  const parameters = parametersOf(requestHeaders, query);
  return {
    operationId: id,
    summary,
    description,
    tags: [TAGS[route.function].name],
    ...(route.deprecated && { deprecated: true }),
    'x-throttle': { ...route.throttle },
    security: SECURITY[route.access],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { description: body.description, required: true, content: contentOf(body) } }),
    responses: responsesOf(route, operation),
  };
}
