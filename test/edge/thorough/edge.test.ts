import { expect, test } from '@jest/globals';
import { contextOf } from '../../../bin/local/event.ts';
import type { Functions } from '../../../bin/local/gateway.ts';
import { pagesBuiltOnUse } from '../../../bin/service/web-pages.ts';
import { advocatesHandler } from '../../../functions/api/advocates.ts';
import { integrationsHandler } from '../../../functions/api/integrations.ts';
import { peopleHandler } from '../../../functions/api/people.ts';
import { referralsHandler } from '../../../functions/api/referrals.ts';
import { trackingHandler } from '../../../functions/api/tracking.ts';
import { edgeWith } from '../../../functions/kernel/secrets/edge-secret.ts';
import { isOperationId, type OperationId, ROUTES } from '../../../functions/routes.ts';
import { type ApiRequest, NO_SECRETS, partsOf } from '../../support/drivers.ts';
import { edgeFunction } from '../../support/edge-function.ts';
import { eventFor } from '../../support/event-fixtures.ts';
import { metered } from '../../support/meter.ts';
import { anAdvocate, aToken } from '../../support/program.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program } = await useProgram();
const { connection } = table;
const edge = edgeWith('https://api.shop.example', async () => ['the newest value'], connection.clock);
const functions: Functions = {
  tracking: trackingHandler(connection, NO_SECRETS, pagesBuiltOnUse(), { edge }),
  advocates: advocatesHandler(connection, edge),
  referrals: referralsHandler(connection, { edge }),
  integrations: integrationsHandler(connection, partsOf(NO_SECRETS), edge),
  people: peopleHandler(connection, () => undefined, edge),
};

function send(request: ApiRequest, value?: string) {
  const name = ROUTES[request.operation].function;
  const headers = { ...request.headers, ...(value !== undefined && { 'x-origin-verify': value }) };
  return functions[name](eventFor({ ...request, headers }), contextOf(name));
}

const OPERATIONS: OperationId[] = Object.keys(ROUTES).filter(isOperationId);

test.each(OPERATIONS)(
  '%s refuses a request that did not come through the edge, and reads nothing',
  async (operation) => {
    const token = await aToken(table, program);
    for (const value of [undefined, 'a wrong value']) {
      const { result, requests } = await metered(table, () => send({ operation, token, body: {} }, value));
      expect([result.statusCode, result.headers?.['x-error-code'], requests]).toEqual([403, 'not_through_edge', 0]);
    }
  },
);

test('the edge refuses made-up tokens as the API does, on every route that needs one', async () => {
  const atEdge = edgeFunction(0, { domain: 'api.shop.example', hostedZoneId: 'Z1' });
  const headers = { authorization: `Bearer rtp_${'0'.repeat(36)}` };
  const compared: OperationId[] = [];
  for (const operation of OPERATIONS.filter((each) => ROUTES[each].access !== 'anyone')) {
    const { method, path } = ROUTES[operation];
    const refusal = atEdge(method, path.replace(/\{\w+\}/g, 'a'), headers);
    const { statusCode, headers: sent, body } = await send({ operation, headers, body: {} }, 'the newest value');
    const entries = Object.entries(refusal?.headers ?? {}).map(([name, { value }]) => [name, value]);
    // The id is CloudFront's, and a policy adds the other header to all responses of the API.
    const { 'x-request-id': id, 'strict-transport-security': _, ...others } = Object.fromEntries(entries);
    expect(id).toBe('request-1');
    expect({ statusCode, body, ...sent }).toEqual({
      ...{ statusCode: refusal?.statusCode, body: refusal?.body, 'x-request-id': expect.any(String) },
      ...others,
    });
    compared.push(operation);
  }
  expect(compared).toContain('receiveStripeEvent');
});

test('a list that came through the edge links to the edge', async () => {
  const token = await aToken(table, program);
  await anAdvocate(table, program);
  const { statusCode, headers } = await send(
    { operation: 'listAdvocatesV2', token, query: 'per_page=1' },
    'the newest value',
  );
  expect(statusCode).toBe(200);
  expect(headers?.['link']).toMatch(
    /^<https:\/\/api\.shop\.example\/v2\/advocates\?per_page=1&cursor=[\w-]+>; rel="next"$/,
  );
});

test('no header of a response contains the address of the API itself', async () => {
  const { requestContext } = eventFor({ operation: 'trackConversionV1' });
  const { headers } = await send({ operation: 'trackConversionV1', body: {} }, 'the newest value');
  expect(headers?.['link']).toBe('<https://api.shop.example/v2/tracking/conversion>; rel="successor-version"');
  expect(JSON.stringify(headers)).not.toContain(requestContext.domainName);
});
