import { describe, expect, test } from '@jest/globals';
import { ORIGIN_HEADER } from '../../functions/kernel/http/edge.ts';
import { edgeFunctionCode } from '../../lib/operations/edge-function.ts';
import { readSettings } from '../../lib/settings.ts';
import { EDGE, EDGE_DOMAIN, EMAILS, PRODUCTION, synthesize, synthesizeEdge } from './synthesized.ts';

// What a synth cannot show, because only AWS does it: that CloudFront accepts the distribution, caches as its policies
// say, replaces the secret everywhere, and writes only the selected fields.

const { front, main, logs } = synthesizeEdge();
const behindDomain = synthesizeEdge(EDGE_DOMAIN);
const FUNCTIONS = ['tracking', 'advocates', 'referrals'];

/** The configuration of the distribution. */
const distributionOf = (stacks = { main }) =>
  Object(stacks.main.one('AWS::CloudFront::Distribution')[1].Properties['DistributionConfig']);
const environmentOf = (stack: typeof main, name: string) =>
  Object(stack.one('AWS::Lambda::Function', name)[1].Properties['Environment']).Variables;
const output = (OutputName: string, StackName: string, Region = 'us-east-1') => ({
  'Fn::GetStackOutput': { StackName, Region, OutputName },
});

describe('the distribution', () => {
  const { DefaultCacheBehavior, CacheBehaviors, ...distribution } = distributionOf();

  test('the distribution passes every request on, uncached, with all but the Host header', () => {
    expect(DefaultCacheBehavior).toMatchObject({
      AllowedMethods: expect.arrayContaining(['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE']),
      // The ids of AWS's policies CachingDisabled and AllViewerExceptHostHeader.
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      ViewerProtocolPolicy: 'https-only',
    });
  });

  test('a function refuses requests without a token before anything else, except for files', () => {
    const [functionId, { Properties }] = main.one('AWS::CloudFront::Function');
    expect(DefaultCacheBehavior.FunctionAssociations).toEqual([
      { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [functionId, 'FunctionARN'] } },
    ]);
    for (const behavior of CacheBehaviors) expect(behavior.FunctionAssociations).toBeUndefined();
    expect(Properties).toMatchObject({
      AutoPublish: true,
      FunctionCode: edgeFunctionCode(readSettings(EDGE)),
      FunctionConfig: { Runtime: 'cloudfront-js-2.0' },
    });
  });

  test('files are cached as their headers say, whatever the query, and compressed', () => {
    const [cacheId, cache] = main.one('AWS::CloudFront::CachePolicy');
    const pathsOf = (behaviors: { PathPattern: string }[]) => behaviors.map(({ PathPattern }) => PathPattern);
    const files = ['/gr.js', '/portal', '/portal.js', '/dashboard', '/llms.txt'];
    expect(pathsOf(CacheBehaviors)).toEqual(files);
    const withEmails = pathsOf(distributionOf(synthesizeEdge(EMAILS)).CacheBehaviors);
    expect(withEmails.toSorted()).toEqual([...files, '/account'].toSorted());
    for (const behavior of CacheBehaviors) {
      expect(behavior).toMatchObject({ Compress: true, CachePolicyId: { Ref: cacheId } });
      // Only what the cache key contains is sent to the origin.
      expect(behavior.OriginRequestPolicyId).toBeUndefined();
    }
    expect(cache.Properties['CachePolicyConfig']).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      ParametersInCacheKeyAndForwardedToOrigin: {
        EnableAcceptEncodingBrotli: true,
        EnableAcceptEncodingGzip: true,
        CookiesConfig: { CookieBehavior: 'none' },
        HeadersConfig: { HeaderBehavior: 'none' },
        QueryStringsConfig: { QueryStringBehavior: 'none' },
      },
    });
  });

  test('errors are not cached, so that no caller gets the error of another', () => {
    const responses: { ErrorCode: number }[] = distribution.CustomErrorResponses;
    expect(responses.map(({ ErrorCode }) => ErrorCode)).toEqual([
      ...[400, 403, 404, 405, 414, 416],
      ...[500, 501, 502, 503, 504],
    ]);
    for (const { ErrorCode, ...response } of responses)
      expect([ErrorCode, response]).toEqual([ErrorCode, { ErrorCachingMinTTL: 0 }]);
  });

  test('every behavior adds Strict-Transport-Security and changes no other header, except CORS of scripts', () => {
    const policies = new Map(
      main
        .all('AWS::CloudFront::ResponseHeadersPolicy')
        .map(([id, { Properties }]) => [id, Object(Properties['ResponseHeadersPolicyConfig'])]),
    );
    for (const { PathPattern = '', ResponseHeadersPolicyId } of [DefaultCacheBehavior, ...CacheBehaviors]) {
      const { Name: _, CorsConfig, ...others } = policies.get(ResponseHeadersPolicyId.Ref);
      expect(others).toEqual({
        SecurityHeadersConfig: {
          StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, IncludeSubdomains: false, Override: true },
        },
      });
      expect(CorsConfig !== undefined).toBe(PathPattern.endsWith('.js'));
    }
  });

  test('the origin is the API itself, over TLS 1.2, with the secret', () => {
    const [apiId] = main.one('AWS::ApiGatewayV2::Api');
    const [secretId] = main.one('AWS::SecretsManager::Secret');
    expect(distribution.Origins).toEqual([
      expect.objectContaining({
        CustomOriginConfig: {
          OriginProtocolPolicy: 'https-only',
          OriginReadTimeout: 30,
          OriginSSLProtocols: ['TLSv1.2'],
        },
        DomainName: { 'Fn::Join': ['', [{ Ref: apiId }, '.execute-api.eu-central-1.', { Ref: 'AWS::URLSuffix' }]] },
        OriginCustomHeaders: [
          {
            HeaderName: ORIGIN_HEADER,
            HeaderValue: {
              'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: secretId }, ':SecretString:v1::}}']],
            },
          },
        ],
      }),
    ]);
  });
});

describe('the domain', () => {
  test('the base URL has the name of the distribution if no domain is set', () => {
    const [id] = main.one('AWS::CloudFront::Distribution');
    const baseUrl = { 'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [id, 'DomainName'] }]] };
    expect(main.template.toJSON()['Outputs']['BaseUrl']['Value']).toEqual(baseUrl);
    expect([distributionOf().Aliases, distributionOf().ViewerCertificate]).toEqual([undefined, undefined]);
    expect(environmentOf(synthesizeEdge(EMAILS).main, 'Emailsmail')['BASE_URL']).toEqual(baseUrl);
    for (const name of FUNCTIONS)
      expect(main.one('AWS::Lambda::Function', name)[1].Properties['Environment']).toMatchObject({
        Variables: { BASE_URL: baseUrl },
      });
  });

  test('the domain needs TLS 1.2 and a certificate, which the distribution has', () => {
    expect(distributionOf(behindDomain)).toMatchObject({
      Aliases: ['api.example.com'],
      ViewerCertificate: {
        AcmCertificateArn: EDGE_DOMAIN['certificateArn'],
        MinimumProtocolVersion: 'TLSv1.2_2021',
        SslSupportMethod: 'sni-only',
      },
    });
    expect(behindDomain.main.template.toJSON()['Outputs']['BaseUrl']['Value']).toBe('https://api.example.com');
    expect(behindDomain.main.all('AWS::ApiGatewayV2::DomainName')).toEqual([]);
    expect(behindDomain.front.all('AWS::CertificateManager::Certificate')).toEqual([]);
  });

  test('the DNS records of the API keep their ids and lead to the distribution', () => {
    const idsOf = (stack: typeof main) => stack.all('AWS::Route53::RecordSet').map(([id]) => id);
    expect(idsOf(behindDomain.main)).toEqual(idsOf(synthesize(PRODUCTION)));
    expect(idsOf(behindDomain.main)).toHaveLength(2);
    const [id] = behindDomain.main.one('AWS::CloudFront::Distribution');
    for (const [, { Properties }] of behindDomain.main.all('AWS::Route53::RecordSet'))
      expect(Properties['AliasTarget']).toMatchObject({ DNSName: { 'Fn::GetAtt': [id, 'DomainName'] } });
  });
});

describe('the closed origin', () => {
  const secretOf = (stack: typeof main) => stack.one('AWS::SecretsManager::Secret');

  test('every function behind the API may read the secret, and no other function', () => {
    const all = synthesizeEdge({ ...EMAILS, clickConcurrency: '20' }).main;
    const [secretId] = secretOf(all);
    const readers = all
      .all('AWS::IAM::Policy')
      .filter(([, { Properties }]) => JSON.stringify(Properties).includes('secretsmanager:'))
      .map(([id, { Properties }]) => [
        id.replace(/RoleDefaultPolicy.*/, ''),
        Object(Properties['PolicyDocument']).Statement.filter(({ Action }: { Action: string }) =>
          JSON.stringify(Action).includes('secretsmanager:'),
        ),
      ]);
    const statement = { Action: 'secretsmanager:GetSecretValue', Effect: 'Allow', Resource: { Ref: secretId } };
    expect(readers.toSorted()).toEqual(
      [...FUNCTIONS, 'clicks', 'integrations', 'people'].toSorted().map((name) => [name, [statement]]),
    );
    for (const [name] of readers) expect(environmentOf(all, String(name)).EDGE_SECRET).toEqual({ Ref: secretId });
    for (const name of ['Eventspublish', 'Eventsdeliver', 'Statistics', 'Emailsmail'])
      expect(environmentOf(all, name)).not.toHaveProperty('EDGE_SECRET');
  });

  test('a higher edgeSecret changes the value, the header and the environment of the functions', () => {
    const rotated = synthesizeEdge({ edgeSecret: '2' }).main;
    expect(secretOf(rotated)[0]).toBe(secretOf(main)[0]);
    expect([main, rotated].map((stack) => Object(secretOf(stack)[1].Properties['GenerateSecretString']))).toEqual(
      ['v1', 'v2'].map((GenerateStringKey) =>
        expect.objectContaining({ GenerateStringKey, SecretStringTemplate: '{}', PasswordLength: 64 }),
      ),
    );
    expect(JSON.stringify(distributionOf({ main: rotated }).Origins)).toContain(':SecretString:v2::}}');
    for (const name of FUNCTIONS) expect(environmentOf(rotated, name)).toMatchObject({ EDGE_SECRET_NUMBER: '2' });
  });
});

describe('the stacks in us-east-1', () => {
  test('the distribution uses the firewall of its stack, which is in another region', () => {
    expect(distributionOf().WebACLId).toEqual(output('WebAclArn', 'referral-tracking-dev--edge'));
    const [id] = front.one('AWS::WAFv2::WebACL');
    expect(front.template.toJSON()['Outputs']['WebAclArn']['Value']).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
  });

  test('the access log contains no addresses, agents, queries or paths', () => {
    const { RecordFields } = Object(logs.one('AWS::Logs::Delivery')[1].Properties);
    expect(RecordFields).toEqual(expect.arrayContaining(['date', 'time', 'sc-status', 'cache-behavior-path-pattern']));
    expect(RecordFields.join()).not.toMatch(
      /c-ip|c-port|forwarded|country|asn|user-agent|cookie|referer|query|uri|host/i,
    );
  });

  test('the access log is the log of the distribution, and CloudWatch may write it', () => {
    expect(JSON.stringify(logs.one('AWS::Logs::DeliverySource')[1].Properties['ResourceArn'])).toContain(
      JSON.stringify(output('DistributionId', 'referral-tracking-dev', 'eu-central-1')),
    );
    const [logsId] = logs.one('AWS::Logs::LogGroup');
    const policy = JSON.stringify(logs.one('AWS::Logs::ResourcePolicy')[1].Properties['PolicyDocument']);
    expect(policy).toContain(`{"Ref":"${logsId}"},":log-stream:*`);
    expect(policy).toContain('delivery.logs.amazonaws.com');
  });
});
