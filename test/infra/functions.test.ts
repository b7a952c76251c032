import { describe, expect, test } from '@jest/globals';
import { type FunctionName, ROUTES } from '../../functions/routes.ts';
import type { IndexName } from '../../functions/table/schema.ts';
import { attribute, PRODUCTION, type Resource, synthesize } from './synthesized.ts';

const stack = synthesize();
const traced = synthesize({ tracing: 'on' });
const [tableId] = stack.one('AWS::DynamoDB::GlobalTable');
const tableArn = attribute(tableId, 'Arn');
const indexArn = (name: IndexName) => ({ 'Fn::Join': ['', [tableArn, `/index/${name}`]] });
const allow = (Action: unknown, Resource: unknown) => ({ Effect: 'Allow', Action, Resource });

const WRITES = ['dynamodb:BatchGetItem', 'dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'];
const TABLE_STATEMENTS: Record<FunctionName, unknown[]> = {
  tracking: [allow(WRITES, tableArn)],
  advocates: [allow(WRITES, tableArn), allow('dynamodb:Query', indexArn('by_created_at'))],
  referrals: [
    allow(['dynamodb:BatchGetItem', 'dynamodb:GetItem'], tableArn),
    allow('dynamodb:Query', [
      indexArn('by_created_at'),
      indexArn('by_state'),
      indexArn('by_state_set_at'),
      indexArn('by_sub_id'),
    ]),
  ],
};
const XRAY_STATEMENT = allow(['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], '*');
const NAMES: FunctionName[] = ['tracking', 'advocates', 'referrals'];

test('the functions are those of routes.ts, with one role and one policy each', () => {
  expect(new Set(Object.values(ROUTES).map((route) => route.function))).toEqual(new Set(NAMES));
  for (const type of ['AWS::Lambda::Function', 'AWS::IAM::Role', 'AWS::IAM::Policy'])
    expect([type, stack.all(type).length]).toEqual([type, NAMES.length]);
});

describe.each(NAMES)('the function %s', (name) => {
  const [logsId] = stack.one('AWS::Logs::LogGroup', name);
  const [roleId, role] = stack.one('AWS::IAM::Role', name);

  test('runs on Node 24 and Graviton, with its own log group', () => {
    const [, { Properties }] = stack.one('AWS::Lambda::Function', name);
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'entry.handler',
      MemorySize: 512,
      Timeout: 10,
      Role: attribute(roleId, 'Arn'),
    });
    expect(Properties['Environment']).toEqual({ Variables: { TABLE_NAME: { Ref: tableId } } });
    // The default application log level, INFO, includes the functions' own log entries, which have the level ERROR.
    expect(Properties['LoggingConfig']).toEqual({
      LogFormat: 'JSON',
      LogGroup: { Ref: logsId },
      SystemLogLevel: 'WARN',
    });
  });

  test('is traced only if the settings enable it, with the permissions for it', () => {
    const modeOf = ({ Properties }: Resource) => Object(Properties['TracingConfig']).Mode;
    expect(modeOf(stack.one('AWS::Lambda::Function', name)[1])).not.toBe('Active');
    expect(modeOf(traced.one('AWS::Lambda::Function', name)[1])).toBe('Active');
    const [, { Properties }] = traced.one('AWS::IAM::Policy', name);
    expect(Object(Properties['PolicyDocument']).Statement).toContainEqual(XRAY_STATEMENT);
  });

  test('has exactly the permissions that it needs', () => {
    const [, { Properties }] = stack.one('AWS::IAM::Policy', name);
    expect(Properties['Roles']).toEqual([{ Ref: roleId }]);
    expect(Properties['PolicyDocument']).toEqual({
      Version: '2012-10-17',
      Statement: [
        allow(['logs:CreateLogStream', 'logs:PutLogEvents'], attribute(logsId, 'Arn')),
        ...TABLE_STATEMENTS[name],
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

test.each([
  ['without tracing', stack, []],
  ['with tracing', traced, NAMES.map(() => XRAY_STATEMENT)],
])('only X-Ray is granted with a wildcard: %s', (_, synthesized, expected) => {
  const statements = synthesized
    .all('AWS::IAM::Policy')
    .flatMap(([, { Properties }]) => Object(Properties['PolicyDocument']).Statement);
  expect(statements.filter((statement) => /\*|Scan/.test(JSON.stringify(statement)))).toEqual(expected);
});

test.each([
  ['dev', {}, 7, 'Delete'],
  ['prod', PRODUCTION, 90, 'Retain'],
])('log groups have the retention of the stage: %s', (_, context, days, policy) => {
  const logs = synthesize(context).all('AWS::Logs::LogGroup');
  expect(logs.map(([, log]) => [log.Properties['RetentionInDays'], log.DeletionPolicy])).toEqual(
    [...NAMES, 'access log'].map(() => [days, policy]),
  );
});
