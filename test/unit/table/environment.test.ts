import { describe, expect, test } from '@jest/globals';
import { openClient } from '../../../functions/table/dynamodb/connection.ts';
import { defaultEndpointResolver } from '../../../functions/table/dynamodb/endpoint-resolver.ts';
import {
  BUS_NAME,
  DEAD_LETTER_QUEUE_URL,
  DYNAMODB_ENDPOINT,
  QUEUE_URL,
  RETRY_QUEUE_URL,
  readDeliverEnvironment,
  readPublishEnvironment,
  readRoleCredentials,
  readTableEnvironment,
  TABLE_NAME,
  UNPUBLISHED_QUEUE_URL,
} from '../../../functions/table/environment.ts';

describe('the environment', () => {
  test('the environment contains the table, and another DynamoDB if one is set', () => {
    expect(readTableEnvironment({ [TABLE_NAME]: 't', [DYNAMODB_ENDPOINT]: 'http://localhost:8000' })).toEqual({
      tableName: 't',
      endpoint: 'http://localhost:8000',
    });
  });

  test.each([{}, { [TABLE_NAME]: '' }])(
    'an environment without a table is an error that contains the variable: %j',
    (environment) => {
      expect(() => readTableEnvironment(environment)).toThrow('TABLE_NAME is not set');
    },
  );
});

describe('the credentials of the role', () => {
  const role = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' };

  test('the credentials of the role come from the environment', () => {
    expect(readRoleCredentials(role)).toEqual({
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      sessionToken: 'token',
    });
  });

  test.each(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])(
    'missing credentials are an error that contains the variable: %s',
    (name) => {
      for (const environment of [
        { ...role, [name]: undefined },
        { ...role, [name]: '' },
      ])
        expect(() => readRoleCredentials(environment)).toThrow(`${name} is not set`);
    },
  );
});

describe('the destinations of events', () => {
  const publish = {
    [QUEUE_URL]: 'https://queue',
    [UNPUBLISHED_QUEUE_URL]: 'https://changes',
    [BUS_NAME]: 'bus',
  };
  const queues = { [RETRY_QUEUE_URL]: 'https://retries', [DEAD_LETTER_QUEUE_URL]: 'https://letters' };

  test('the destinations of events are in the environment', () => {
    expect(readPublishEnvironment(publish)).toEqual({
      queueUrl: 'https://queue',
      unpublishedQueueUrl: 'https://changes',
      busName: 'bus',
    });
    expect(readDeliverEnvironment(queues)).toEqual({
      retryQueueUrl: 'https://retries',
      deadLetterQueueUrl: 'https://letters',
    });
  });

  test('a missing or empty destination is an error that contains its variable', () => {
    for (const name of Object.keys(publish)) {
      expect(() => readPublishEnvironment({ ...publish, [name]: undefined })).toThrow(`variable ${name} is not set`);
      expect(() => readPublishEnvironment({ ...publish, [name]: '' })).toThrow(`variable ${name} is not set`);
    }
    expect(() => readDeliverEnvironment({ ...queues, [DEAD_LETTER_QUEUE_URL]: '' })).toThrow('DEAD_LETTER_QUEUE_URL');
  });
});

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
