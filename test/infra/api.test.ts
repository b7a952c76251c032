import { describe, expect, test } from '@jest/globals';
import { CORS, routeKeys, settingOf } from '../../functions/kernel/http/route.ts';
import { ROUTES } from '../../functions/routes.ts';
import { attribute, EMAILS, PRODUCTION, type Synthesized, synthesize } from './synthesized.ts';

const stack = synthesize(EMAILS);
const production = synthesize(PRODUCTION);
const routes = Object.values(ROUTES);
const [apiId] = stack.one('AWS::ApiGatewayV2::Api');
const [, stage] = stack.one('AWS::ApiGatewayV2::Stage');

describe('the routes', () => {
  test('a route exists only with its setting and the setting of its function', () => {
    const keysOf = (synthesized: Synthesized) =>
      synthesized.all('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => String(Properties['RouteKey']));
    const keysWith = (...settings: ReturnType<typeof settingOf>[]) =>
      routes.filter((route) => settings.includes(settingOf(route))).flatMap(routeKeys);
    expect(keysOf(synthesize()).toSorted()).toEqual(keysWith(undefined).toSorted());
    expect(keysOf(synthesize({ events: 'on' })).toSorted()).toEqual(keysWith(undefined, 'hasEvents').toSorted());
    expect(keysOf(stack).toSorted()).toEqual(routes.flatMap(routeKeys).toSorted());
    const optional =
      /\/(?:v2\/(?:webhooks|sign-in|session|members|program\/people|unsubscribe|apply|applications)|account)\b/;
    expect(keysWith(undefined).filter((key) => optional.test(key))).toEqual([]);
    expect(keysWith('hasEmails')).toEqual(expect.arrayContaining(['HEAD /account', 'POST /v2/sign-in']));
  });

  test('the routes that write secrets are throttled below the limit of Parameter Store', () => {
    const slow = routes.filter(({ throttle }) => throttle.rate <= 2).flatMap(routeKeys);
    expect(slow.toSorted()).toEqual([
      'DELETE /v2/integrations/stripe',
      'DELETE /v2/webhooks/{id}',
      'POST /v2/webhooks',
      'POST /v2/webhooks/{id}/replay',
      'POST /v2/webhooks/{id}/rotate',
      'PUT /v2/integrations/stripe',
    ]);
  });

  test('the routes are exactly the routes in routes.ts, each with its function, in payload format 2.0', () => {
    const integrations = new Map(stack.all('AWS::ApiGatewayV2::Integration'));
    const found = stack.all('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => {
      const [, integrationId = ''] = /integrations\/",\{"Ref":"(\w+)"/.exec(JSON.stringify(Properties['Target'])) ?? [];
      return [Properties['RouteKey'], integrations.get(integrationId)?.Properties];
    });
    const expected = routes.flatMap((route) =>
      routeKeys(route).map((key) => [
        key,
        expect.objectContaining({
          IntegrationType: 'AWS_PROXY',
          PayloadFormatVersion: '2.0',
          IntegrationUri: attribute(stack.one('AWS::Lambda::Function', route.function)[0], 'Arn'),
        }),
      ]),
    );
    expect(found.map(([key]) => key)).toEqual(expect.arrayContaining(['HEAD /gr.js', 'HEAD /dashboard']));
    expect(found).toHaveLength(expected.length);
    expect(found).toEqual(expect.arrayContaining(expected));
  });

  test('the API decodes pictures and leaves bodies as they are, because it is an HTTP API without binary types', () => {
    expect(stack.one('AWS::ApiGatewayV2::Api')[1].Properties['ProtocolType']).toBe('HTTP');
    expect(stack.all('AWS::ApiGateway::RestApi')).toEqual([]);
    expect(stack.all('AWS::ApiGatewayV2::IntegrationResponse')).toEqual([]);
  });

  test('the routes have the throttles of routes.ts', () => {
    expect(stage.Properties['RouteSettings']).toEqual(
      Object.fromEntries(
        routes.flatMap((route) =>
          routeKeys(route).map((key) => [
            key,
            { ThrottlingRateLimit: route.throttle.rate, ThrottlingBurstLimit: route.throttle.burst },
          ]),
        ),
      ),
    );
  });

  test('the routes have a throttle of clicks in the settings, with bursts of twice the rate', () => {
    const [, { Properties }] = production.one('AWS::ApiGatewayV2::Stage');
    expect(Properties['RouteSettings']).toEqual({
      ...Object(stage.Properties['RouteSettings']),
      'POST /v2/tracking/click': { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 },
    });
  });

  test('the routes are created before their throttles', () => {
    const ids = stack.all('AWS::ApiGatewayV2::Route').map(([id]) => id);
    expect(stage.DependsOn).toEqual(expect.arrayContaining(ids));
  });

  test('the routes are the only permitted callers of the functions', () => {
    const permissions = stack
      .all('AWS::Lambda::Permission')
      .map(([, { Properties }]) => [
        Properties['FunctionName'],
        Properties['Principal'],
        /\{"Ref":"(\w+)"\},"([^"]+)"\]\]\}$/.exec(JSON.stringify(Properties['SourceArn']))?.slice(1),
      ]);
    const expected = routes.flatMap((route) =>
      routeKeys(route).map(() => [
        attribute(stack.one('AWS::Lambda::Function', route.function)[0], 'Arn'),
        'apigateway.amazonaws.com',
        [apiId, `/*/*${route.path}`],
      ]),
    );
    expect(permissions).toHaveLength(expected.length);
    expect(permissions).toEqual(expect.arrayContaining(expected));
  });
});

describe('the stage', () => {
  test('the stage is the default stage, with a low throttle for routes that have none', () => {
    expect(stage.Properties).toMatchObject({
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 20 },
    });
  });

  test('the stage logs requests without data of the caller', () => {
    const [logsId] = stack.one('AWS::Logs::LogGroup', 'ApiAccessLogs');
    expect(stage.Properties['AccessLogSettings']).toMatchObject({ DestinationArn: attribute(logsId, 'Arn') });
    const { Format } = Object(stage.Properties['AccessLogSettings']);
    expect(Object.values(JSON.parse(Format))).toEqual(
      expect.arrayContaining([
        '$context.requestId',
        '$context.routeKey',
        '$context.status',
        '$context.responseLatency',
      ]),
    );
    expect(Format).not.toMatch(/identity|authorizer|header|path|query|userAgent|sourceIp|domain/i);
  });
});

test.each([
  ['any origin by default', stack, ['*']],
  ['the origins in the settings', production, ['https://www.example.com', 'https://example.org:8443']],
])('pages may call the API from %s, never with credentials', (_, synthesized, AllowOrigins) => {
  expect(synthesized.one('AWS::ApiGatewayV2::Api')[1].Properties['CorsConfiguration']).toEqual({
    AllowCredentials: false,
    AllowOrigins,
    AllowMethods: CORS.methods,
    AllowHeaders: CORS.requestHeaders,
    ExposeHeaders: CORS.responseHeaders,
    MaxAge: CORS.maxAge,
  });
});

describe('the base URL', () => {
  const baseUrl = ({ template }: Synthesized) => template.toJSON()['Outputs']['BaseUrl']['Value'];

  test('the base URL is generated by AWS if no domain is set', () => {
    expect(baseUrl(stack)).toEqual(attribute(apiId, 'ApiEndpoint'));
    expect(stack.all('AWS::ApiGatewayV2::DomainName')).toEqual([]);
  });

  test('the base URL has the domain in the settings, with its DNS records', () => {
    expect(baseUrl(production)).toBe('https://api.example.com');
    const [domainId, domain] = production.one('AWS::ApiGatewayV2::DomainName');
    expect(domain.Properties).toMatchObject({
      DomainName: 'api.example.com',
      DomainNameConfigurations: [{ CertificateArn: PRODUCTION['certificateArn'], EndpointType: 'REGIONAL' }],
    });
    expect(production.one('AWS::ApiGatewayV2::ApiMapping')[1].Properties).toMatchObject({
      DomainName: { Ref: domainId },
      Stage: '$default',
    });
    for (const Type of ['A', 'AAAA']) {
      production.template.hasResourceProperties('AWS::Route53::RecordSet', {
        Type,
        Name: 'api.example.com.',
        HostedZoneId: 'Z0123456789ABC',
        AliasTarget: { DNSName: attribute(domainId, 'RegionalDomainName') },
      });
    }
  });
});
