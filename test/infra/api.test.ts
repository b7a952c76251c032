import { describe, expect, test } from '@jest/globals';
import { CORS, ROUTES, routeKey } from '../../functions/routes.ts';
import { attribute, PRODUCTION, type Synthesized, synthesize } from './synthesized.ts';

const stack = synthesize();
const production = synthesize(PRODUCTION);
const routes = Object.values(ROUTES);
const [apiId, api] = stack.one('AWS::ApiGatewayV2::Api');
const [, stage] = stack.one('AWS::ApiGatewayV2::Stage');

describe('the routes', () => {
  test('are those of the list, each to its function, in payload 2.0', () => {
    const integrations = new Map(stack.all('AWS::ApiGatewayV2::Integration'));
    const found = stack.all('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => {
      const [, integrationId = ''] = /integrations\/",\{"Ref":"(\w+)"/.exec(JSON.stringify(Properties['Target'])) ?? [];
      return [Properties['RouteKey'], integrations.get(integrationId)?.Properties];
    });
    const expected = routes.map((route) => [
      routeKey(route),
      expect.objectContaining({
        IntegrationType: 'AWS_PROXY',
        PayloadFormatVersion: '2.0',
        IntegrationUri: attribute(stack.one('AWS::Lambda::Function', route.function)[0], 'Arn'),
      }),
    ]);
    expect(found).toHaveLength(expected.length);
    expect(found).toEqual(expect.arrayContaining(expected));
  });

  test('have the throttles of the list', () => {
    expect(stage.Properties['RouteSettings']).toEqual(
      Object.fromEntries(
        routes.map((route) => [
          routeKey(route),
          { ThrottlingRateLimit: route.throttle.rate, ThrottlingBurstLimit: route.throttle.burst },
        ]),
      ),
    );
  });

  test('stand before their throttles are set', () => {
    const ids = stack.all('AWS::ApiGatewayV2::Route').map(([id]) => id);
    expect(stage.DependsOn).toEqual(expect.arrayContaining(ids));
  });

  test('are the only way into the functions', () => {
    const permissions = stack
      .all('AWS::Lambda::Permission')
      .map(([, { Properties }]) => [
        Properties['FunctionName'],
        Properties['Principal'],
        /\{"Ref":"(\w+)"\},"([^"]+)"\]\]\}$/.exec(JSON.stringify(Properties['SourceArn']))?.slice(1),
      ]);
    const expected = routes.map((route) => [
      attribute(stack.one('AWS::Lambda::Function', route.function)[0], 'Arn'),
      'apigateway.amazonaws.com',
      [apiId, `/*/*${route.path}`],
    ]);
    expect(permissions).toHaveLength(expected.length);
    expect(permissions).toEqual(expect.arrayContaining(expected));
  });
});

describe('the stage', () => {
  test('is the default one, with a low throttle for what has none of its own', () => {
    expect(stage.Properties).toMatchObject({
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 20 },
    });
  });

  test('logs requests without anything of the caller', () => {
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

describe('browsers', () => {
  const cors = (AllowOrigins: string[]) => ({
    AllowCredentials: false,
    AllowOrigins,
    AllowMethods: CORS.methods,
    AllowHeaders: CORS.requestHeaders,
    ExposeHeaders: CORS.responseHeaders,
    MaxAge: CORS.maxAge,
  });

  test('may call from any origin by default, never with credentials', () => {
    expect(api.Properties['CorsConfiguration']).toEqual(cors(['*']));
  });

  test('may call from the origins of the deployer only', () => {
    const [, { Properties }] = production.one('AWS::ApiGatewayV2::Api');
    expect(Properties['CorsConfiguration']).toEqual(cors(['https://www.example.com', 'https://example.org:8443']));
  });
});

describe('the address', () => {
  const baseUrl = ({ template }: Synthesized) => template.toJSON()['Outputs']['BaseUrl']['Value'];

  test('is the one that AWS gives', () => {
    expect(baseUrl(stack)).toEqual(attribute(apiId, 'ApiEndpoint'));
    expect(stack.all('AWS::ApiGatewayV2::DomainName')).toEqual([]);
  });

  test('is a domain of the deployer, with its records', () => {
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

  test('is told to the deployer who keeps DNS elsewhere', () => {
    const elsewhere = synthesize({ ...PRODUCTION, hostedZoneId: '' });
    const [domainId] = elsewhere.one('AWS::ApiGatewayV2::DomainName');
    expect(elsewhere.all('AWS::Route53::RecordSet')).toEqual([]);
    elsewhere.template.hasOutput('*', { Value: attribute(domainId, 'RegionalDomainName') });
  });
});
