import { expect, test } from '@jest/globals';
import { PRODUCTION, synthesize } from './synthesized.ts';

const stack = synthesize(PRODUCTION);
const { Outputs } = stack.template.toJSON();

test('the outputs are the base URL and the table name', () => {
  const [tableId] = stack.one('AWS::DynamoDB::GlobalTable');
  expect(Object.keys(Outputs).sort()).toEqual(['BaseUrl', 'TableName']);
  expect(Outputs['TableName']['Value']).toEqual({ Ref: tableId });
  expect(Outputs['BaseUrl']['Value']).toBe('https://api.example.com');
});

test('all resources that support tags have the tags service and stage', () => {
  const { service, stage } = { service: 'referral-tracking', stage: 'prod' };
  const list = [
    { Key: 'service', Value: service },
    { Key: 'stage', Value: stage },
  ];
  for (const type of ['AWS::Lambda::Function', 'AWS::IAM::Role', 'AWS::Logs::LogGroup', 'AWS::CloudWatch::Alarm'])
    for (const [, { Properties }] of stack.all(type)) expect(Properties['Tags']).toEqual(list);
  for (const type of ['AWS::ApiGatewayV2::Api', 'AWS::ApiGatewayV2::Stage', 'AWS::ApiGatewayV2::DomainName'])
    for (const [, { Properties }] of stack.all(type)) expect(Properties['Tags']).toEqual({ service, stage });
  const [, table] = stack.one('AWS::DynamoDB::GlobalTable');
  expect(table.Properties['Replicas']).toEqual([expect.objectContaining({ Tags: list })]);
});
