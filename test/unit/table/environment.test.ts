import { describe, expect, test } from '@jest/globals';
import { DYNAMODB_ENDPOINT, readTableEnvironment, TABLE_NAME } from '../../../functions/table/environment.ts';

describe('the environment', () => {
  test('names the table, and another DynamoDB where there is one', () => {
    expect(readTableEnvironment({ [TABLE_NAME]: 't', [DYNAMODB_ENDPOINT]: 'http://localhost:8000' })).toEqual(
      {
        tableName: 't',
        endpoint: 'http://localhost:8000',
      },
    );
  });

  test('with an empty endpoint means the DynamoDB of AWS', () => {
    expect(readTableEnvironment({ [TABLE_NAME]: 't', [DYNAMODB_ENDPOINT]: '' }).endpoint).toBeUndefined();
    expect(readTableEnvironment({ [TABLE_NAME]: 't' }).endpoint).toBeUndefined();
  });

  test.each([{}, { [TABLE_NAME]: '' }])(
    'without a table is an error that names the variable: %j',
    (environment) => {
      expect(() => readTableEnvironment(environment)).toThrow('TABLE_NAME is not set');
    },
  );
});
