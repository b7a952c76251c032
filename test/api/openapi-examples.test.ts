import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../bin/generate/json.ts';
import { openapiDocument } from '../../bin/generate/openapi.ts';
import { type Demo, prepareDemo } from '../../bin/local/demo.ts';
import { type OperationId, ROUTES, type Route } from '../../functions/routes.ts';
import { type Ask, DRIVERS, type Reply } from '../support/drivers.ts';
import { useTable } from '../support/use-table.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests look into every corner of the document.
const DOCUMENT: any = openapiDocument();
const operationOf = (id: OperationId) => DOCUMENT.paths[ROUTES[id].path][ROUTES[id].method.toLowerCase()];
const POSTS = ['trackConversionV1', 'trackConversionV2', 'setState', 'trackClick'] as const satisfies OperationId[];

/** The requests to send: every request example in each of its content types. */
const REQUESTS = POSTS.flatMap((operation) =>
  Object.entries<JsonObject>(operationOf(operation).requestBody.content).flatMap(([type, content]) =>
    Object.entries(Object(content['examples'])).map(([name, example]) => ({
      operation,
      name,
      type,
      body: Object(example).value,
    })),
  ),
);

/** Queries whose result the document shows, by the name of the example. */
const PAGES = [
  { operation: 'listAdvocates', name: 'one', query: 'per_page=1' },
  { operation: 'listAdvocates', name: 'past_the_end', query: 'page=99' },
  { operation: 'listReferrals', name: 'one', query: 'per_page=1' },
  { operation: 'listReferrals', name: 'click', query: 'per_page=1&state_eq=clicked' },
  { operation: 'listReferrals', name: 'past_the_end', query: 'page=99' },
] as const;

/** Every example of a query parameter. */
const PARAMETERS = (['listAdvocates', 'listReferrals'] as const).flatMap((operation) =>
  operationOf(operation).parameters.flatMap((reference: JsonObject) => {
    const name = String(reference['$ref']).split('/').at(-1) ?? '';
    const parameter = DOCUMENT.components.parameters[name] ?? reference;
    const examples: string[] = parameter.schema.examples ?? [];
    return examples.map((value) => ({ operation, query: `${parameter.name}=${encodeURIComponent(value)}` }));
  }),
) as { operation: OperationId; query: string }[];

describe.each(DRIVERS)('on a demo that was just created, through %s,', (_, drive) => {
  const table = useTable();
  const send = drive(table);
  let demo: Demo;
  const replies = new Map<unknown, Reply>();

  const tokenFor = ({ access }: Route): { token?: string } => {
    if (access === 'anyone') return {};
    return { token: access === 'affiliate' ? demo.affiliateToken : demo.programToken };
  };
  const origin: string = DOCUMENT.components.parameters.Origin.example;
  const key: string = DOCUMENT.components.parameters.IdempotencyKey.example;

  /** As the summary of the example says: from a page there is no token, but an origin. */
  const askOf = ({ operation, name, type, body }: (typeof REQUESTS)[number]): Ask => ({
    operation,
    body,
    ...(name === 'from_page' ? {} : tokenFor(ROUTES[operation])),
    headers: {
      'content-type': type,
      ...(name === 'from_page' && { origin }),
      ...(name === 'by_cookie' && { 'idempotency-key': key }),
    },
  });

  // The lists show what is there before anything is sent; each request is sent once.
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'demo-'));
    const prepared = await prepareDemo(table, folder);
    await rm(folder, { recursive: true });
    if (!prepared) throw new Error('There is no demo.');
    demo = prepared;
    for (const page of [...PAGES, ...PARAMETERS]) {
      replies.set(page, await send({ ...page, ...tokenFor(ROUTES[page.operation]) }));
    }
    for (const request of REQUESTS) replies.set(request, await send(askOf(request)));
  });

  test.each(REQUESTS)('$operation $name as $type succeeds', (request) => {
    const reply = replies.get(request);
    const successes = Object.entries<JsonObject>(operationOf(request.operation).responses).filter(
      ([status]) => status < '300',
    );
    const expected = request.name === 'from_page' ? '204' : successes[0]?.[0];
    expect([String(reply?.status), reply?.headers['x-error-code']]).toEqual([expected, undefined]);
    const content = Object(successes[0]?.[1]['content'])['application/json'];
    const shown = content?.examples[request.name];
    if (!shown) return;
    // Only the moment of the change differs.
    const { state_set_at, updated_at, ...attributes } = shown.value.data.attributes;
    expect(Math.min(state_set_at, updated_at)).toBeGreaterThan(attributes.created_at);
    expect(reply?.json.data).toEqual({
      ...shown.value.data,
      attributes: { ...attributes, state_set_at: expect.any(Number), updated_at: expect.any(Number) },
    });
  });

  test.each(PAGES)('$operation with $query returns the page "$name"', (page) => {
    const { examples } = operationOf(page.operation).responses[200].content['application/json'];
    expect(replies.get(page)?.json).toEqual(examples[page.name].value);
  });

  test('every page of the document was compared', () => {
    const shown = PAGES.map(({ operation }) => operation).flatMap((operation) =>
      Object.keys(operationOf(operation).responses[200].content['application/json'].examples).map(
        (name) => `${operation} ${name}`,
      ),
    );
    const compared = PAGES.map(({ operation, name }) => `${operation} ${name}`);
    expect([...new Set(shown)].toSorted()).toEqual(compared.toSorted());
  });

  test.each(PARAMETERS)('$operation takes $query', (parameter) => {
    expect(replies.get(parameter)?.status).toBe(200);
  });

  test('the link of a conversion sets the state of its referral', async () => {
    const converted = REQUESTS.filter(({ operation, name }) => operation !== 'setState' && name === 'by_cookie');
    expect(converted).toHaveLength(2);
    for (const request of converted) {
      const reply = replies.get(request);
      const { operationId, requestBody } = operationOf(request.operation).responses[201].links.payment;
      const body = Object.fromEntries(
        Object.entries<string>(requestBody).map(([name, value]) => [name, evaluate(value, reply?.json)]),
      );
      const { status, json } = await send({ operation: operationId, token: demo.programToken, body });
      expect([status, json.data.id, json.data.attributes.state]).toEqual([200, reply?.json.data.id, 'paid']);
    }
  });
});

/** Resolves a runtime expression of OpenAPI; a constant stands for itself. */
function evaluate(expression: string, json: unknown): unknown {
  const [, pointer] = /^\$response\.body#\/(.*)$/.exec(expression) ?? [];
  return pointer === undefined
    ? expression
    : pointer.split('/').reduce<unknown>((value, key) => Object(value)[key], json);
}
