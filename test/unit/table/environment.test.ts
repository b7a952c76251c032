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
});
