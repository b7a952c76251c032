import { describe, expect, test } from '@jest/globals';
import { openClient } from '../../../../functions/kernel/dynamodb/connection.ts';
import { defaultEndpointResolver } from '../../../../functions/kernel/dynamodb/endpoint-resolver.ts';

/** The SDK's own resolver, which the bundles do not contain. */
const { endpointProvider } = openClient(undefined).config;

describe('the endpoint of DynamoDB', () => {
  test.each(['us-east-1', 'eu-central-1', 'us-gov-west-1', 'cn-north-1', 'eusc-de-east-1'])(
    'the bundles send requests to the same host as the SDK in %s',
    (Region) => {
      expect(defaultEndpointResolver({ Region }).url.href).toBe(endpointProvider({ Region }).url.href);
    },
  );
});
