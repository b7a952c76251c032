import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { ADVOCATES_OPERATIONS } from '../../functions/advocates/openapi.ts';
import { EVENT_WEBHOOKS } from '../../functions/events/openapi.ts';
import { type JsonObject, type Operation, REQUEST_HEADERS, RESPONSE_HEADERS } from '../../functions/http/openapi.ts';
import { ADVOCATE, ORIGIN, PROGRAM } from '../../functions/http/openapi-records.ts';
import { PATH_PARAMETERS } from '../../functions/http/schema.ts';
import { REFERRALS_OPERATIONS } from '../../functions/referrals/openapi.ts';
import { type Access, isOperationId, type OperationId, ROUTES, type Route } from '../../functions/routes.ts';
import { TRACKING_OPERATIONS } from '../../functions/tracking/openapi.ts';
import { INFO, SERVERS, TAGS } from './description.ts';
import type { GeneratedFile } from './generated-file.ts';
import { contentOf, responsesOf } from './responses.ts';
import { type Components, mapValues, referenced, schemaComponents, shared } from './schemas.ts';

const BIOME = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');

const TOKENS = {
  programToken: "Token for the merchant's server; begins with `rtp_`.",
  affiliateToken: 'Token for one advocate; begins with `rta_`.',
};

const STRIPE_SIGNATURE = {
  type: 'apiKey',
  in: 'header',
  name: 'Stripe-Signature',
  description:
    'Made by Stripe with the signing secret of the endpoint: `t=<Unix seconds>,v1=<HMAC-SHA256 over "<t>.<body>" in hex>`. Several `v1` are allowed.',
};

const OPERATIONS: Readonly<Record<OperationId, Operation>> = {
  ...TRACKING_OPERATIONS,
  ...ADVOCATES_OPERATIONS,
  ...REFERRALS_OPERATIONS,
};

/** The file `openapi.json`, which is committed and served. Biome formats it: short objects are on one line. */
export function openapiFiles(): GeneratedFile[] {
  const path = 'openapi.json';
  const input = JSON.stringify(openapiDocument());
  const text = execFileSync(process.execPath, [BIOME, 'format', `--stdin-file-path=${path}`], {
    input,
    encoding: 'utf8',
  });
  return [{ path, text }];
}

/** Builds the document of the typed client, without the operations that only a provider can call. */
export const clientDocument = (): JsonObject => openapiDocument((id) => ROUTES[id].access !== 'stripe');

/** Builds the OpenAPI 3.1 document from the routes, the schemas and the documentation of the operations. */
export function openapiDocument(isIncluded: (id: OperationId) => boolean = () => true): JsonObject {
  const ids = Object.keys(ROUTES).filter(isOperationId).filter(isIncluded);
  const byPath = Object.groupBy(ids, (id) => ROUTES[id].path);
  const components: Components = { examples: {}, parameters: commonParameters(), responses: {} };
  const paths = mapValues(byPath, (ids = []) =>
    Object.fromEntries(ids.map((id) => [ROUTES[id].method.toLowerCase(), operationOf(id, components)])),
  );
  return {
    openapi: '3.1.1',
    info: INFO,
    servers: SERVERS,
    tags: Object.values(TAGS),
    paths,
    webhooks: mapValues(EVENT_WEBHOOKS, referenced),
    components: {
      securitySchemes: {
        ...mapValues(TOKENS, (description) => ({ type: 'http', scheme: 'bearer', description })),
        stripeSignature: STRIPE_SIGNATURE,
      },
      schemas: schemaComponents(),
      headers: mapValues(RESPONSE_HEADERS, ({ name: _, ...header }) => header),
      ...components,
    },
  };
}

function operationOf(id: OperationId, components: Components): JsonObject {
  const route: Route = ROUTES[id];
  const operation = OPERATIONS[id];
  const { summary, description, body, signedBody } = operation;
  const parameters = parametersOf(route, operation, components);
  return {
    operationId: id,
    summary,
    description,
    tags: [TAGS[route.function].name],
    ...(route.deprecated && { deprecated: true }),
    'x-throttle': { ...route.throttle },
    security: securityOf(route.access),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBodyOf(body, route) }),
    ...(signedBody && { requestBody: signedBodyOf(signedBody) }),
    responses: responsesOf(route, operation, components),
  };
}

/** `security` of an operation: a list of alternatives. `{}` stands for no token, and an empty list for no requirement. */
function securityOf(access: Access): readonly JsonObject[] {
  if (access === 'anyone') return [];
  if (access === 'stripe') return [{ stripeSignature: [] }];
  return [{ [`${access.token}Token`]: [] }, ...(access.publicKey ? [{}] : [])];
}

const BODY = 'At most 16 KiB of JSON in UTF-8. Unknown fields are ignored.';
const EMPTY_FIELDS = {
  POST: '`null` and `""` count as absent.',
  PATCH: '`null` clears an optional field; `""` is not valid.',
} as const;

/** `requestBody` of an operation. As `text/plain`, a JSON body is a string. */
function requestBodyOf({ schema, examples }: NonNullable<Operation['body']>, route: Route): JsonObject {
  const { method, plainText, optionalBody } = route;
  const description = `${BODY} ${EMPTY_FIELDS[method === 'PATCH' ? 'PATCH' : 'POST']}`;
  const text = {
    schema: { type: 'string', contentMediaType: 'application/json', contentSchema: referenced(schema) },
    examples: mapValues(examples, (one) => ({ ...one, value: JSON.stringify(one.value) })),
  };
  return {
    description: plainText
      ? `${description} \`text/plain\` is read as JSON too: browsers send it without a preflight.`
      : description,
    required: !optionalBody,
    content: { ...contentOf(schema, examples), ...(plainText && { 'text/plain': text }) },
  };
}

/** `requestBody` of an operation whose callers sign the body. */
function signedBodyOf({ description, schema, examples }: NonNullable<Operation['signedBody']>): JsonObject {
  return { description, required: true, content: contentOf(schema, examples) };
}

/** The parameters in headers and paths. */
function commonParameters(): Record<string, JsonObject> {
  return {
    ...mapValues(REQUEST_HEADERS, ({ name, ...header }) => ({ name, in: 'header', ...header })),
    Origin: { ...REQUEST_HEADERS.Origin, in: 'header', example: ORIGIN },
    ...mapValues(PATH_PARAMETERS, ({ description, ...schema }, name) => ({
      ...{ name, in: 'path', required: true, description, schema },
      example: name === 'slug' ? ADVOCATE.slug : PROGRAM.id,
    })),
  };
}

/** `parameters` of an operation: those of its path, its headers, then its query. */
function parametersOf(
  { path }: Route,
  { requestHeaders = [], query }: Operation,
  components: Components,
): JsonObject[] {
  const inPath = Object.keys(PATH_PARAMETERS).filter((name) => path.includes(`{${name}}`));
  return [
    ...[...inPath, ...requestHeaders].map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...Object.entries(query?.schema.properties ?? {}).map(([name, { description = '', ...schema }]) => {
      // A required parameter names the affiliate.
      const isRequired = query?.schema.required?.includes(name);
      const required = isRequired ? { required: true, example: ADVOCATE.slug } : {};
      const parameter = { name, in: 'query', description, schema: mapValues(schema, referenced), ...required };
      return shared(components, 'parameters', name, parameter);
    }),
  ];
}
