import { describe, expect, test } from '@jest/globals';
import {
  DYNAMODB_ENDPOINT,
  readRoleCredentials,
  readTableEnvironment,
  TABLE_NAME,
} from '../../../functions/table/environment.ts';

describe('the environment', () => {
  test('names the table, and another DynamoDB if one is set', () => {
    expect(readTableEnvironment({ [TABLE_NAME]: 't', [DYNAMODB_ENDPOINT]: 'http://localhost:8000' })).toEqual({
      tableName: 't',
      endpoint: 'http://localhost:8000',
    });
  });

  test('selects the DynamoDB of AWS if the endpoint is empty', () => {
    expect(readTableEnvironment({ [TABLE_NAME]: 't', [DYNAMODB_ENDPOINT]: '' }).endpoint).toBeUndefined();
    expect(readTableEnvironment({ [TABLE_NAME]: 't' }).endpoint).toBeUndefined();
  });

  test.each([{}, { [TABLE_NAME]: '' }])('without a table is an error that names the variable: %j', (environment) => {
    expect(() => readTableEnvironment(environment)).toThrow('TABLE_NAME is not set');
  });
});

describe('the credentials of the role', () => {
  const role = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' };

  test('are those of the environment', () => {
    expect(readRoleCredentials(role)).toEqual({
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      sessionToken: 'token',
    });
  });

  test('may lack a session token, like the credentials of a user', () => {
    const { AWS_SESSION_TOKEN: _, ...user } = role;
    expect(readRoleCredentials(user)).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret' });
  });

  test.each(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])(
    'are an error that names the variable if %s is missing or empty',
    (name) => {
      for (const environment of [
        { ...role, [name]: undefined },
        { ...role, [name]: '' },
      ])
        expect(() => readRoleCredentials(environment)).toThrow(`${name} is not set`);
    },
  );
});
