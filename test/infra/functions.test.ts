import { describe, expect, test } from '@jest/globals';
import { programKey, webhookKey } from '../../functions/kernel/dynamodb/keys.ts';
import type { IndexName } from '../../functions/kernel/dynamodb/schema.ts';
import type { FunctionName } from '../../functions/kernel/http/route.ts';
import { attribute, EXTENDED, PRODUCTION, parameterArn, synthesize } from './synthesized.ts';

const stack = synthesize(EXTENDED);
const traced = synthesize({ ...EXTENDED, tracing: 'on' });
const [tableId] = stack.one('AWS::DynamoDB::GlobalTable');
const tableArn = attribute(tableId, 'Arn');
const indexArn = (name: IndexName) => ({ 'Fn::Join': ['', [tableArn, `/index/${name}`]] });
const arnOf = (type: string, id: string) => attribute(stack.one(type, id)[0], 'Arn');
const queueArn = (id: string) => arnOf('AWS::SQS::Queue', id);
const queueUrl = (id: string) => ({ Ref: stack.one('AWS::SQS::Queue', id)[0] });
/** Any UUID, in a pattern of IAM. */
const ANY_ID = '?'.repeat(36);
const ANY_TOKEN = `TOKEN#${'?'.repeat(64)}`;
const ANY_WEBHOOK = webhookKey(ANY_ID, ANY_ID).pk;
const allow = (Action: unknown, Resource: unknown) => ({ Effect: 'Allow', Action, Resource });
/** Allows actions on only those items whose partition key matches one of the patterns. */
const limited = (Action: unknown, ...patterns: readonly string[]) => ({
  ...allow(Action, tableArn),
  Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns } },
});

type Name = FunctionName | 'statistics' | 'publish' | 'deliver' | 'mail' | 'stripe';

const STREAM = allow(
  ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
  attribute(tableId, 'StreamArn'),
);
const SUMS = [`PROGRAM#${ANY_ID}#STATISTICS#???????`, `PROGRAM#${ANY_ID}#STATISTICS#???????#???`];
const TOTALS = `PROGRAM#${ANY_ID}#TOTALS`;
/** No part of a key follows the slug. */
const ANY_LEDGER = `PROGRAM#${ANY_ID}#LEDGER#*`;
const LEDGER = limited('dynamodb:Query', ANY_LEDGER);
const ADVOCATE_EMAIL = `PROGRAM#${ANY_ID}#ADVOCATE_EMAIL#${'?'.repeat(64)}`;
const READS_OF_REFERRALS = limited(
  'dynamodb:Query',
  ...SUMS,
  TOTALS,
  ANY_LEDGER,
  `PROGRAM#${ANY_ID}#PAYMENT#${'?'.repeat(64)}`,
  ADVOCATE_EMAIL,
  ANY_WEBHOOK,
);
const LEDGER_SUMS = limited('dynamodb:PutItem', `PROGRAM#${ANY_ID}#SUMS#*`);
/** The id of a shard has no fixed length, and positions contain no data. */
const POSITIONS = limited('dynamodb:UpdateItem', ...SUMS, TOTALS, 'STREAM#*');

/** Advocates themselves, the claims of their uids, and what an address has: links, codes, drafts. */
const ADVOCATE = `PROGRAM#${ANY_ID}#ADVOCATE#*`;
const UID = `PROGRAM#${ANY_ID}#ADVOCATE_UID#*`;
const SIGN_IN = `PROGRAM#${ANY_ID}#SIGN_IN#${'?'.repeat(64)}`;
const APPLICATION = `PROGRAM#${ANY_ID}#APPLICATION#${ANY_ID}`;
const SENT_EMAIL = `PROGRAM#${ANY_ID}#MAIL#${'?'.repeat(64)}`;
const identityArn = (name: string) => {
  const [partition, region, account] = ['Partition', 'Region', 'AccountId'].map((each) => ({ Ref: `AWS::${each}` }));
  return { 'Fn::Join': ['', ['arn:', partition, ':ses:', region, ':', account, `:identity/${name}`]] };
};

const READS = ['dynamodb:BatchGetItem', 'dynamodb:GetItem'];
const WRITES = ['dynamodb:BatchGetItem', 'dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'];
/** What the policy of each function allows besides its log. */
const STATEMENTS: Record<Name, unknown[]> = {
  tracking: [
    allow([...WRITES, 'dynamodb:ConditionCheckItem', 'dynamodb:UpdateItem'].toSorted(), tableArn),
    allow('ssm:GetParametersByPath', parameterArn(tableId, '/stripe/*')),
  ],
  advocates: [
    allow([...WRITES, 'dynamodb:ConditionCheckItem', 'dynamodb:UpdateItem'].toSorted(), tableArn),
    limited('dynamodb:Query', TOTALS, ANY_LEDGER, `PROGRAM#${ANY_ID}#CODES`, ADVOCATE_EMAIL, SIGN_IN),
    allow('dynamodb:Query', indexArn('by_created_at')),
  ],
  referrals: [
    allow(READS, tableArn),
    READS_OF_REFERRALS,
    LEDGER_SUMS,
    allow('dynamodb:Query', [
      indexArn('by_created_at'),
      indexArn('by_program_state'),
      indexArn('by_state'),
      indexArn('by_state_set_at'),
      indexArn('by_sub_id'),
    ]),
  ],
  integrations: [
    allow(READS, tableArn),
    limited('dynamodb:PutItem', programKey(ANY_ID).pk, ANY_WEBHOOK),
    limited('dynamodb:UpdateItem', ANY_TOKEN, ANY_WEBHOOK),
    limited(['dynamodb:DeleteItem', 'dynamodb:Query'], ANY_WEBHOOK),
    LEDGER,
    allow('dynamodb:Query', [indexArn('by_created_at'), indexArn('by_program_state'), indexArn('by_state')]),
    allow(
      ['ssm:DeleteParameters', 'ssm:GetParametersByPath', 'ssm:PutParameter'],
      [parameterArn(tableId, '/stripe/*'), parameterArn(tableId, '/webhooks/*')],
    ),
    allow('sqs:SendMessage', queueArn('EventsQueue')),
  ],
  people: [
    allow(READS, tableArn),
    limited(
      ['dynamodb:ConditionCheckItem', 'dynamodb:DeleteItem', 'dynamodb:PutItem'],
      programKey(ANY_ID).pk,
      ANY_TOKEN,
      ADVOCATE,
      UID,
      ADVOCATE_EMAIL,
      SIGN_IN,
      APPLICATION,
      `CONFIRMATIONS#${'?'.repeat(64)}`,
    ),
    limited('dynamodb:UpdateItem', ANY_TOKEN),
    limited('dynamodb:Query', SIGN_IN, ADVOCATE_EMAIL),
    allow('dynamodb:Query', [indexArn('by_created_at'), indexArn('by_program_state')]),
  ],
  statistics: [allow('dynamodb:GetItem', tableArn), POSITIONS, STREAM],
  publish: [
    allow(READS, tableArn),
    limited('dynamodb:PutItem', `PROGRAM#${ANY_ID}#EMAIL_BEFORE#*`),
    allow('dynamodb:Query', indexArn('by_created_at')),
    allow('events:PutEvents', arnOf('AWS::Events::EventBus', 'EventsBus')),
    allow(
      'sqs:SendMessage',
      ['EmailsLinks', 'EmailsOthers', 'EventsQueue', 'EventsUnpublished'].map((id) => queueArn(id)),
    ),
    STREAM,
  ],
  mail: [
    allow(READS, tableArn),
    limited(
      ['dynamodb:ConditionCheckItem', 'dynamodb:PutItem'],
      SENT_EMAIL,
      SIGN_IN,
      ADVOCATE,
      UID,
      programKey(ANY_ID).pk,
      APPLICATION,
    ),
    limited('dynamodb:DeleteItem', SENT_EMAIL, SIGN_IN),
    limited('dynamodb:Query', ADVOCATE_EMAIL, SIGN_IN),
    allow('sqs:SendMessage', queueArn('EmailsUnsent')),
    {
      ...allow('ses:SendEmail', [identityArn('example.com'), identityArn('referrals@example.com')]),
      Condition: { StringEquals: { 'ses:FromAddress': 'referrals@example.com' } },
    },
    allow(
      ['sqs:ChangeMessageVisibility', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
      [queueArn('EmailsLinks'), queueArn('EmailsOthers')],
    ),
  ],
  deliver: [
    allow('dynamodb:GetItem', tableArn),
    limited(['dynamodb:PutItem', 'dynamodb:UpdateItem'], ANY_WEBHOOK),
    allow('ssm:GetParametersByPath', parameterArn(tableId, '/webhooks/*')),
    allow(
      [
        'sqs:ChangeMessageVisibility',
        'sqs:DeleteMessage',
        'sqs:GetQueueAttributes',
        'sqs:ReceiveMessage',
        'sqs:SendMessage',
      ],
      queueArn('EventsRetries'),
    ),
    allow('sqs:SendMessage', queueArn('EventsUndelivered')),
    allow(['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'], queueArn('EventsQueue')),
  ],
  stripe: [
    allow(
      [
        'dynamodb:BatchGetItem',
        'dynamodb:ConditionCheckItem',
        'dynamodb:DeleteItem',
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'dynamodb:UpdateItem',
      ],
      tableArn,
    ),
    allow('sqs:SendMessage', queueArn('StripeEventsUnprocessed')),
  ],
};
const XRAY_STATEMENT = allow(['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], '*');

const EMAIL_QUEUES = { LINK_QUEUE_URL: queueUrl('EmailsLinks'), EMAIL_QUEUE_URL: queueUrl('EmailsOthers') };
const QUEUE_URL = queueUrl('EventsQueue');
const RETRY_QUEUE_URL = queueUrl('EventsRetries');
const BUS_NAME = { Ref: stack.one('AWS::Events::EventBus', 'EventsBus')[0] };
/** Each function with the prefix of its ids, its time limit in seconds, and its variables besides the table's name. */
const FUNCTIONS: [name: Name, prefix: string, Timeout: number, variables: object][] = [
  ['tracking', 'tracking', 10, { STAGE: 'dev' }],
  ['advocates', 'advocates', 10, {}],
  ['referrals', 'referrals', 10, { HAS_EVENTS: 'true' }],
  ['integrations', 'integrations', 25, { QUEUE_URL }],
  ['people', 'people', 10, { STAGE: 'dev' }],
  ['statistics', 'Statisticsstatistics', 60, { STAGE: 'dev' }],
  [
    'publish',
    'Eventspublish',
    60,
    { QUEUE_URL, UNPUBLISHED_QUEUE_URL: queueUrl('EventsUnpublished'), BUS_NAME, ...EMAIL_QUEUES },
  ],
  [
    'mail',
    'Emailsmail',
    60,
    {
      ...EMAIL_QUEUES,
      DEAD_LETTER_QUEUE_URL: queueUrl('EmailsUnsent'),
      EMAIL_FROM: 'referrals@example.com',
      BASE_URL: attribute(stack.one('AWS::ApiGatewayV2::Api')[0], 'ApiEndpoint'),
    },
  ],
  [
    'deliver',
    'Eventsdeliver',
    60,
    { RETRY_QUEUE_URL, DEAD_LETTER_QUEUE_URL: queueUrl('EventsUndelivered'), STAGE: 'dev' },
  ],
  ['stripe', 'StripeEventsstripe', 10, {}],
];

test.each([
  // Three functions behind the API, and `statistics`.
  ['by default', synthesize(), 4],
  ['with all settings', stack, FUNCTIONS.length],
])('every function has one role and one policy: %s', (_, synthesized, count) => {
  for (const type of ['AWS::Lambda::Function', 'AWS::IAM::Role', 'AWS::IAM::Policy'])
    expect([type, synthesized.all(type).length]).toEqual([type, count]);
});

describe.each(FUNCTIONS)('the function %s', (name, prefix, Timeout, variables) => {
  const [logsId] = stack.one('AWS::Logs::LogGroup', prefix);
  const [roleId, role] = stack.one('AWS::IAM::Role', prefix);

  test('the function runs on Node 24 and Graviton, with its own log group', () => {
    const [, { Properties }] = stack.one('AWS::Lambda::Function', prefix);
    expect(Properties).toMatchObject({
      Description: `Referral tracking, dev: ${name}`,
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'entry.handler',
      MemorySize: 512,
      Timeout,
      Role: attribute(roleId, 'Arn'),
    });
    expect(Properties['Environment']).toEqual({ Variables: { TABLE_NAME: { Ref: tableId }, ...variables } });
    // The default application log level, INFO, includes the functions' own log entries, which have the level ERROR.
    expect(Properties['LoggingConfig']).toEqual({
      LogFormat: 'JSON',
      LogGroup: { Ref: logsId },
      SystemLogLevel: 'WARN',
    });
  });

  test('the function is traced only if the settings enable it, with the permissions for it', () => {
    for (const [synthesized, mode] of [
      [stack, undefined],
      [traced, 'Active'],
    ] as const) {
      const [, { Properties }] = synthesized.one('AWS::Lambda::Function', prefix);
      expect(Object(Properties['TracingConfig']).Mode).toBe(mode);
    }
    const [, { Properties }] = traced.one('AWS::IAM::Policy', prefix);
    expect(Object(Properties['PolicyDocument']).Statement).toContainEqual(XRAY_STATEMENT);
  });

  test('the function has exactly the permissions that it needs', () => {
    const [, { Properties }] = stack.one('AWS::IAM::Policy', prefix);
    expect(Properties['Roles']).toEqual([{ Ref: roleId }]);
    expect(role.Properties).not.toHaveProperty('ManagedPolicyArns');
    expect(Properties['PolicyDocument']).toEqual({
      Version: '2012-10-17',
      Statement: [allow(['logs:CreateLogStream', 'logs:PutLogEvents'], attribute(logsId, 'Arn')), ...STATEMENTS[name]],
    });
  });
});

test.each([
  ['dev', EXTENDED, 7, 'Delete'],
  ['prod', PRODUCTION, 90, 'Retain'],
])('log groups have the retention of the stage: %s', (_, context, days, policy) => {
  const logs = synthesize(context).all('AWS::Logs::LogGroup');
  expect(logs.map(([, log]) => [log.Properties['RetentionInDays'], log.DeletionPolicy])).toEqual(
    [...FUNCTIONS, 'access log'].map(() => [days, policy]),
  );
});
