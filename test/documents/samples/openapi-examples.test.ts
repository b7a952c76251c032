import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { localAccess } from '../../../bin/admin/secrets.ts';
import { EXAMPLE_DAY } from '../../../bin/local/demo/cast.ts';
import { type Demo, prepareDemo } from '../../../bin/local/demo/demo.ts';
import type { Route } from '../../../functions/kernel/http/route.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import type { JsonObject } from '../../../functions/openapi/operation.ts';
import { OTHER_APPLICATION } from '../../../functions/openapi/records.ts';
import { type OperationId, ROUTES } from '../../../functions/routes.ts';
import { fromEmails } from '../../support/demo-emails.ts';
import { type ApiRequest, type ApiResponse, sendOverHttp } from '../../support/drivers.ts';
import { DOCUMENT, operationOf } from '../../support/openapi.ts';
import { SECRET, signatureOf, withSecrets } from '../../support/stripe/stripe.ts';
import { atTime } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

/** The examples of `integrations` contain ids and addresses that the demo does not have. */
const OPERATIONS = (Object.keys(ROUTES) as OperationId[]).filter((id) => ROUTES[id].function !== 'integrations');
const WITH_BODY = OPERATIONS.filter((operation) => operationOf(operation).requestBody);

/** Lookups show the demo unchanged, a deactivated advocate gets no conversions, and a logo changes the program. */
const orderOf = (id: OperationId) =>
  Number(id === 'updateAdvocate' || id === 'updateProgram' || id === 'putLogo') - Number(id === 'lookUpReferral');

/** Every request example in each of its content types. */
const REQUESTS = WITH_BODY.toSorted((one, other) => orderOf(one) - orderOf(other)).flatMap((operation) =>
  Object.entries<JsonObject>(operationOf(operation).requestBody.content).flatMap(([type, content]) =>
    Object.entries(Object(content['examples'])).map(([name, example]) => ({
      operation,
      name,
      type,
      body: Object(example).value,
    })),
  ),
);

/** The slug, the code, the group, the member and the application of the examples, and their program. */
const SLUG: string = DOCUMENT.components.parameters.slug.example;
const CODE: string = DOCUMENT.components.parameters.code.example;
const GROUP: string = DOCUMENT.components.parameters.name.example;
const MEMBER: string = DOCUMENT.components.parameters.id.example;
const PROGRAM: string = DOCUMENT.components.parameters.program.example;
const PUBLIC_KEY: string = DOCUMENT.components.parameters.pk.example;
const APPLICATION: string = DOCUMENT.components.parameters.application.example;

/** Queries and the example of the document that each of them must return. */
const PAGES = [
  { operation: 'listAdvocatesV2', name: 'one', query: 'per_page=1' },
  { operation: 'listAdvocatesV2', name: 'past_the_end', query: 'page=99' },
  { operation: 'getAdvocate', name: 'advocate', query: '' },
  { operation: 'getAffiliate', name: 'advocate', query: '' },
  { operation: 'listReferralsV2', name: 'one', query: `affiliate_slug=${SLUG}&per_page=1` },
  { operation: 'listReferralsV2', name: 'program', query: 'per_page=1' },
  { operation: 'listReferralsV2', name: 'past_the_end', query: `affiliate_slug=${SLUG}&page=99` },
  { operation: 'countReferrals', name: 'total', query: `affiliate_slug=${SLUG}` },
  { operation: 'countReferrals', name: 'by_sub_id', query: `affiliate_slug=${SLUG}&group_by=sub_id` },
  { operation: 'countReferrals', name: 'without_clicks', query: `affiliate_slug=${SLUG}&clicks=false` },
  { operation: 'countOwnReferrals', name: 'total', query: '' },
  { operation: 'countOwnReferrals', name: 'by_sub_id', query: 'group_by=sub_id' },
  { operation: 'countOwnReferrals', name: 'without_clicks', query: 'clicks=false' },
  { operation: 'listAdvocates', name: 'one', query: 'per_page=1' },
  { operation: 'listAdvocates', name: 'past_the_end', query: 'page=99' },
  { operation: 'listOwnReferrals', name: 'one', query: 'per_page=1' },
  { operation: 'listOwnReferrals', name: 'past_the_end', query: 'page=99' },
  { operation: 'listReferrals', name: 'one', query: 'per_page=1' },
  { operation: 'listReferrals', name: 'click', query: 'per_page=1&state_eq=clicked' },
  { operation: 'listReferrals', name: 'past_the_end', query: 'page=99' },
  { operation: 'listApplications', name: 'one', query: 'per_page=1' },
  { operation: 'getApplicationForm', name: 'form', query: '' },
  { operation: 'getResources', name: 'none', query: '' },
  { operation: 'getOwnResources', name: 'none', query: '' },
] as const;

/** Returns the query parameters of an operation. */
function queryOf(operation: OperationId): JsonObject[] {
  return (operationOf(operation).parameters ?? []).filter((parameter: JsonObject) => parameter['in'] === 'query');
}

/** Every operation that reads a body or a query, with its first field or parameter. */
const WITH_INPUT = OPERATIONS.flatMap((operation) => {
  const schema = operationOf(operation).requestBody?.content['application/json'].schema;
  const name = schema?.$ref?.split('/').at(-1);
  const [field] = Object.keys(DOCUMENT.components.schemas[name]?.properties ?? {});
  const parameter = queryOf(operation)[0]?.['name'];
  return field || parameter ? [{ operation, field, parameter }] : [];
});

const ENTRY = [
  'id',
  'affiliate_slug',
  'referral_id',
  'occurred_at',
  'created_at',
  'commission',
  'commission_percentage',
];
/** The fields of a response that differ from the example: ids of what the request creates, and its time. */
const CHANGING: Partial<Record<OperationId, string[]>> = {
  trackConversionV1: ['state_set_at', 'updated_at'],
  trackConversionV2: ['state_set_at', 'updated_at'],
  setState: ['state_set_at', 'updated_at'],
  reassignReferral: ['updated_at'],
  createAdvocate: ['id', 'created_at'],
  createAdvocateToken: ['id', 'token', 'expires_at'],
  createProgramToken: ['id', 'token', 'created_at'],
  updateProgram: ['id'],
  recordPayment: ENTRY,
  recordRefund: ENTRY,
  voidPayment: ENTRY,
  recordAdjustment: ENTRY,
  recordSettlement: ENTRY,
  payOut: ['settled', 'left_out'],
  putCode: ['created_at'],
  createMember: ['id', 'created_at'],
  createSession: ['id', 'token', 'expires_at'],
  updateAffiliate: ['expires_at'],
  lookUpApplication: ['id', 'created_at'],
  confirmApplication: ['id', 'created_at'],
  approveApplication: ['id', 'created_at'],
  rejectApplication: ['decided_at'],
};

/** The time of the examples, in Unix seconds. */
const NOW = operationOf('receiveStripeEvent').requestBody.content['application/json'].examples.checkout.value.created;

/** The response that the document shows, whose changing fields may have any value. */
function expectedOf(operation: OperationId, shown: unknown): unknown {
  const changing = CHANGING[operation] ?? [];
  return JSON.parse(JSON.stringify(shown), (key, value) =>
    changing.includes(key) ? expect.any(Object(value).constructor) : value,
  );
}

// Over HTTP: these are all operations with a token, a body or a query.
describe('a new demo', () => {
  // Not the current time: the clicks of the examples expire.
  const table = atTime(useTable(), () => milliseconds(NOW * 1000));
  const send = sendOverHttp(table, withSecrets([SECRET]));
  let demo: Demo;
  let emails: Awaited<ReturnType<typeof fromEmails>>;
  const responses = new Map<unknown, ApiResponse>();

  const tokenFor = ({ access }: Route): { token?: string } => {
    if (typeof access !== 'object') return {};
    return { token: access.token === 'affiliate' ? demo.affiliateToken : demo.programToken };
  };
  const origin: string = DOCUMENT.components.parameters.Origin.example;
  const key: string = DOCUMENT.components.parameters.IdempotencyKey.example;

  /** The request of an example, as its summary describes it: a page sends its origin instead of a token. */
  const requestFor = ({ operation, name, type, body }: (typeof REQUESTS)[number]): ApiRequest => ({
    operation,
    ...{ slug: SLUG, code: CODE, name: GROUP, id: MEMBER, program: PROGRAM },
    // An application is decided once.
    application: operation === 'rejectApplication' ? OTHER_APPLICATION.id : APPLICATION,
    body: emails.codes[operation] ? { ...body, code: emails.codes[operation] } : body,
    ...(name === 'from_page' ? {} : tokenFor(ROUTES[operation])),
    ...(emails.tokens[operation] && { token: emails.tokens[operation] }),
    headers: {
      'content-type': type,
      ...(name === 'from_page' && { origin }),
      ...(name === 'by_cookie' && { 'idempotency-key': key }),
      ...(ROUTES[operation].access === 'stripe' && {
        'stripe-signature': signatureOf(JSON.stringify(body), { at: NOW }),
      }),
    },
  });

  // The lists show the demo unchanged, so they come first; each request is sent once.
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'demo-'));
    const prepared = await prepareDemo(
      atTime(table, () => milliseconds(Date.parse(EXAMPLE_DAY))),
      folder,
      localAccess(folder).secrets,
    );
    await rm(folder, { recursive: true });
    if (!prepared) throw new Error('The demo was not created.');
    demo = prepared;
    for (const page of PAGES) {
      responses.set(page, await send({ ...page, slug: SLUG, pk: PUBLIC_KEY, ...tokenFor(ROUTES[page.operation]) }));
    }
    emails = await fromEmails(table, demo.programId);
    for (const request of REQUESTS) responses.set(request, await send(requestFor(request)));
  });

  test.each(REQUESTS)('$operation $name as $type succeeds', (request) => {
    const response = responses.get(request);
    const successes = Object.entries<JsonObject>(operationOf(request.operation).responses).filter(
      ([status]) => status < '300',
    );
    const success = successes.find(([status]) => status === '201') ?? successes[0];
    const expected = request.name === 'from_page' ? '204' : success?.[0];
    expect([String(response?.status), response?.headers['x-error-code']]).toEqual([expected, undefined]);
    const content = Object(success?.[1]['content'])['application/json'];
    // One response is the example of all lookups.
    const shown = content?.examples[request.name] ?? content?.examples.customer;
    if (!shown) return;
    // The emails of the example have the address of a deployment.
    const text = response?.text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://api.example.com') ?? '';
    expect(JSON.parse(text)).toEqual(expectedOf(request.operation, shown.value));
    const { created_at, state_set_at = created_at, updated_at = created_at } = shown.value.data.attributes;
    expect([created_at, state_set_at, updated_at].toSorted()).toEqual([created_at, state_set_at, updated_at]);
  });

  test.each(PAGES)('$operation with "$query" returns the example "$name"', (page) => {
    const { examples } = operationOf(page.operation).responses[200].content['application/json'];
    expect(responses.get(page)?.json).toEqual(examples[page.name].value);
  });

  test('every page in the document is compared', () => {
    const shown = [...new Set(PAGES.map(({ operation }) => operation))].flatMap((operation) =>
      Object.keys(operationOf(operation).responses[200].content['application/json'].examples).map(
        (name) => `${operation} ${name}`,
      ),
    );
    const compared = PAGES.map(({ operation, name }) => `${operation} ${name}`);
    expect(shown.toSorted()).toEqual(compared.toSorted());
  });

  test.each(WITH_INPUT)('$operation returns the documented sentence for a missing or invalid field', async (input) => {
    const { operation, field, parameter } = input;
    const { invalid_field } = operationOf(operation).responses[400].content['application/json'].examples;
    const request = { operation, slug: SLUG, ...tokenFor(ROUTES[operation]) };
    // If nothing is required, the first field or parameter is invalid.
    const [missing, invalid] = field
      ? [await send({ ...request, body: {} }), await send({ ...request, body: { [field]: [] } })]
      : [await send({ ...request, query: '' }), await send({ ...request, query: `${parameter}=` })];
    expect((missing.status === 400 ? missing : invalid).json).toEqual(invalid_field.value);
  });

  test('the link of a conversion sets the state of its referral', async () => {
    const converted = REQUESTS.filter(({ operation, name }) => operation !== 'setState' && name === 'by_cookie');
    expect(converted).toHaveLength(2);
    for (const request of converted) {
      const response = responses.get(request);
      const { operationId, requestBody } = operationOf(request.operation).responses[201].links.payment;
      const body = Object.fromEntries(
        Object.entries<string>(requestBody).map(([name, value]) => [name, evaluate(value, response?.json)]),
      );
      const { status, json } = await send({ operation: operationId, token: demo.programToken, body });
      expect([status, json.data.id, json.data.attributes.state]).toEqual([200, response?.json.data.id, 'paid']);
    }
  });
});

/** Evaluates a runtime expression of OpenAPI. A constant is its own value. */
function evaluate(expression: string, json: unknown): unknown {
  const [, pointer] = /^\$response\.body#\/(.*)$/.exec(expression) ?? [];
  return pointer === undefined
    ? expression
    : pointer.split('/').reduce<unknown>((value, key) => Object(value)[key], json);
}
