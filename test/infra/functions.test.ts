import { describe, expect, test } from '@jest/globals';
import { type FunctionName, ROUTES } from '../../functions/routes.ts';
import type { IndexName } from '../../functions/table/schema.ts';
import { attribute, PRODUCTION, synthesize } from './synthesized.ts';

const stack = synthesize();
const [tableId] = stack.one('AWS::DynamoDB::GlobalTable');
const tableArn = attribute(tableId, 'Arn');
const indexArn = (name: IndexName) => ({ 'Fn::Join': ['', [tableArn, `/index/${name}`]] });
const allow = (Action: unknown, Resource: unknown) => ({ Effect: 'Allow', Action, Resource });

const TABLE_STATEMENTS: Record<FunctionName, unknown[]> = {
  tracking: [allow(['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:PutItem'], tableArn)],
  advocates: [allow('dynamodb:GetItem', tableArn), allow('dynamodb:Query', indexArn('by_created_at'))],
  referrals: [
    allow('dynamodb:GetItem', tableArn),
    allow('dynamodb:Query', [
      indexArn('by_created_at'),
      indexArn('by_state'),
      indexArn('by_state_set_at'),
      indexArn('by_sub_id'),
    ]),
  ],
};
const NAMES: FunctionName[] = ['tracking', 'advocates', 'referrals'];

test('the functions are those of the routes, with one role and one policy each', () => {
  expect(new Set(Object.values(ROUTES).map((route) => route.function))).toEqual(new Set(NAMES));
  for (const type of ['AWS::Lambda::Function', 'AWS::IAM::Role', 'AWS::IAM::Policy'])
    expect([type, stack.all(type).length]).toEqual([type, NAMES.length]);
});

describe.each(NAMES)('the function %s', (name) => {
  const [logsId] = stack.one('AWS::Logs::LogGroup', name);
  const [roleId, role] = stack.one('AWS::IAM::Role', name);

  test('runs on Node 24 and Graviton, traced, with a log of its own', () => {
    const [, { Properties }] = stack.one('AWS::Lambda::Function', name);
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: 512,
      Timeout: 10,
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: logsId } },
      Role: attribute(roleId, 'Arn'),
    });
    expect(Properties['Environment']).toEqual({ Variables: { TABLE_NAME: { Ref: tableId } } });
  });

  test('may do exactly what it does', () => {
    const [, { Properties }] = stack.one('AWS::IAM::Policy', name);
    expect(Properties['Roles']).toEqual([{ Ref: roleId }]);
    expect(Properties['PolicyDocument']).toEqual({
      Version: '2012-10-17',
      Statement: [
        allow(['logs:CreateLogStream', 'logs:PutLogEvents'], attribute(logsId, 'Arn')),
        ...TABLE_STATEMENTS[name],
        allow(['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], '*'),
      ],
    });
  });

  test('has no other policy', () => {
    expect(Object.keys(role.Properties).sort()).toEqual(['AssumeRolePolicyDocument', 'Tags']);
    expect(role.Properties['AssumeRolePolicyDocument']).toMatchObject({
      Statement: [{ Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } }],
    });
  });
});

test('nothing is granted with a wildcard, but for X-Ray', () => {
  const statements = stack
    .all('AWS::IAM::Policy')
    .map(([, { Properties }]) => JSON.stringify(Properties['PolicyDocument']))
    .join('\n')
    .replaceAll(
      '{"Action":["xray:PutTelemetryRecords","xray:PutTraceSegments"],"Effect":"Allow","Resource":"*"}',
      '',
    );
  expect(statements).not.toMatch(/\*|Scan/);
});

test.each([
  ['dev', {}, 7, 'Delete'],
  ['prod', PRODUCTION, 90, 'Retain'],
])('logs are kept for a time: %s', (_, context, days, policy) => {
  const logs = synthesize(context).all('AWS::Logs::LogGroup');
  expect(logs.map(([, log]) => [log.Properties['RetentionInDays'], log.DeletionPolicy])).toEqual(
    [...NAMES, 'access log'].map(() => [days, policy]),
  );
});
