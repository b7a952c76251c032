import { describe, expect, test } from '@jest/globals';
import { openClient } from '../../../functions/table/dynamodb/connection.ts';
import { defaultEndpointResolver } from '../../../functions/table/dynamodb/endpoint-resolver.ts';

/** The SDK's own resolver, which the bundles do not contain. */
const { endpointProvider } = openClient(undefined).config;

describe('the endpoint of DynamoDB', () => {
  test.each(['us-east-1', 'eu-central-1', 'us-gov-west-1', 'cn-north-1', 'eusc-de-east-1'])(
    'the bundles send requests to the same host as the SDK in %s',
    (Region) => {
      expect(defaultEndpointResolver({ Region }).url.href).toBe(endpointProvider({ Region }).url.href);
    },
  );

  test('the bundles send requests to the address in the environment, as the SDK does', () => {
    const parameters = { Region: 'eu-central-1', Endpoint: 'https://vpce-1.dynamodb.example.com:8443' };
    expect(defaultEndpointResolver(parameters).url.href).toBe(endpointProvider(parameters).url.href);
  });

  test.each([{ UseFIPS: true }, { UseDualStack: true }])('the bundles refuse %j', (setting) => {
    expect(() => defaultEndpointResolver({ Region: 'us-east-1', ...setting })).toThrow('do not support');
  });
});
