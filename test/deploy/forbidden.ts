import {
  addressConfirmationsKey,
  advocateEmailKey,
  advocateEmails,
  advocateKey,
  applicationKey,
  codeOfLinkKey,
  ledgerPartition,
  ledgerSumsKey,
  paymentKey,
  previousEmailKey,
  programKey,
  sentEmailKey,
  statisticsKey,
  type Key as TableKey,
  tokenKey,
  totalsKey,
  webhookKey,
} from '../../functions/kernel/dynamodb/keys.ts';
import { INDEXES } from '../../functions/kernel/dynamodb/schema.ts';
import { callJson, callRest, type JsonService } from './aws.ts';
import { type Deployment, resourcesOf } from './cdk.ts';
import { check, equal } from './checks.ts';
import { FROM } from './emails.ts';
import { credentialsOf, type DeployedFunction } from './roles.ts';

/**
 * A request that a function could try. None changes anything if it is allowed, except for a message and an event. The action
 * of SES is its route.
 */
type Attempt = readonly [name: string, service: JsonService | 'ses', action: string, input: object];

const ID = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6070';
const HASH = '0'.repeat(64);

const PEOPLE_ITEMS = {
  advocate: advocateKey(ID, 'none'),
  code: codeOfLinkKey(ID, HASH, ''),
  'sent email': sentEmailKey(ID, ''),
  'previous email': previousEmailKey(ID, 'none'),
  'advocate of an email': advocateEmailKey(ID, HASH, 'none'),
  application: applicationKey(ID, ID),
  'confirmations of an address': addressConfirmationsKey(HASH),
};
const ITEMS = [
  ...['GetItem', 'BatchGetItem', 'PutItem', 'PutItem program', 'PutItem webhook', 'PutItem ledger sums'],
  ...['DeleteItem', 'DeleteItem webhook'],
  ...Object.keys(PEOPLE_ITEMS).flatMap((item) => [`PutItem ${item}`, `DeleteItem ${item}`]),
];
const UPDATES = ['UpdateItem', 'UpdateItem token', 'UpdateItem webhook', 'UpdateItem sums', 'UpdateItem totals'];
/** The attempts that must succeed, or fail for another reason than the lack of a permission. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  tracking: [...ITEMS, ...UPDATES, 'secrets of stripe'],
  advocates: [
    ...[...ITEMS, ...UPDATES, 'Query totals', 'Query ledger', 'Query by_created_at'],
    ...['Query advocates with an email', 'Query codes'],
  ],
  referrals: [
    ...[
      'GetItem',
      'BatchGetItem',
      'PutItem ledger sums',
      'Query sums',
      'Query totals',
      'Query ledger',
      'Query payment',
      'Query advocates with an email',
      'Query webhook',
    ],
    ...Object.keys(INDEXES).map((index) => `Query ${index}`),
  ],
  integrations: [
    ...['GetItem', 'BatchGetItem', 'PutItem program', 'PutItem webhook', 'UpdateItem token', 'UpdateItem webhook'],
    ...['DeleteItem webhook', 'Query webhook', 'Query ledger'],
    ...['Query by_created_at', 'Query by_state', 'Query by_program_state'],
    'SendMessage Queue',
    ...['secrets of stripe', 'secrets of webhooks', 'PutParameter', 'DeleteParameters'],
  ],
  people: [
    ...['GetItem', 'BatchGetItem', 'PutItem program', 'PutItem advocate', 'PutItem code'],
    ...['DeleteItem advocate', 'DeleteItem code', 'UpdateItem token', 'Query codes', 'Query by_created_at'],
    ...['advocate of an email', 'application', 'confirmations of an address'].flatMap((item) => [
      `PutItem ${item}`,
      `DeleteItem ${item}`,
    ]),
    ...['Query advocates with an email', 'Query by_program_state'],
  ],
  statistics: ['GetItem', 'UpdateItem sums', 'UpdateItem totals'],
  publish: [
    ...['GetItem', 'BatchGetItem', 'Query by_created_at', 'PutEvents', 'SendMessage Queue', 'SendMessage Unpublished'],
    ...['PutItem previous email', 'SendMessage Links', 'SendMessage Others'],
  ],
  mail: [
    ...['GetItem', 'BatchGetItem', 'PutItem program', 'PutItem advocate', 'PutItem code', 'PutItem sent email'],
    ...['DeleteItem code', 'DeleteItem sent email', 'Query advocates with an email', 'Query codes'],
    ...['PutItem application', 'SendMessage Unsent', 'ReceiveMessage Links', 'ReceiveMessage Others', 'SendEmail'],
  ],
  deliver: [
    ...['GetItem', 'PutItem webhook', 'UpdateItem webhook', 'secrets of webhooks'],
    ...['SendMessage Retries', 'SendMessage Undelivered', 'ReceiveMessage Queue', 'ReceiveMessage Retries'],
  ],
  stripe: [...ITEMS, ...UPDATES, 'SendMessage Unprocessed'],
};

/** Builds the attempts. `other` is another deployment of the account. */
async function attemptsOn(deployment: Deployment, other: Deployment): Promise<Attempt[]> {
  const { stage, tableName: TableName } = deployment;
  // The condition is never true, so nothing is written.
  const never = { ConditionExpression: 'attribute_exists(pk)' };
  const values = { ExpressionAttributeValues: { ':value': { S: 'none' } } };
  const update = { UpdateExpression: 'SET a = :value', ...values, ...never };
  const Key = { pk: { S: 'PROGRAM#none' }, sk: { S: 'PROGRAM' } };
  const toKey = ({ pk, sk }: TableKey) => ({ pk: { S: pk }, sk: { S: sk } });
  const keys = [programKey(ID), tokenKey(HASH), webhookKey(ID, ID), statisticsKey(ID, '2026-01', null)];
  const [program, token, webhook, sums] = keys.map(toKey);
  const totals = toKey(totalsKey(ID, null));
  const queryTable = (name: string, pk = Key.pk) =>
    onTable(name, 'Query', { KeyConditionExpression: 'pk = :value', ExpressionAttributeValues: { ':value': pk } });
  const onTable = (name: string, action: string, input: object, table = TableName): Attempt => [
    name,
    'dynamodb',
    action,
    { TableName: table, ...input },
  ];
  const query = (index: string, key: string) =>
    onTable(`Query ${index}`, 'Query', { IndexName: index, KeyConditionExpression: `${key} = :value`, ...values });
  const secrets = (name: string, path: string, table = TableName): Attempt => {
    const Path = `/referral-tracking/${table}/${path}`;
    return [`secrets of ${name}`, 'ssm', 'GetParametersByPath', { Path, Recursive: true }];
  };
  const Name = `/referral-tracking/${TableName}/stripe/none`;
  // Parameter Store refuses tags together with Overwrite.
  const refused = { Name, Value: 'x', Overwrite: true, Tags: [{ Key: 'a', Value: 'b' }] };
  const put = (name: string, EventBusName: string): Attempt => [
    name,
    'events',
    'PutEvents',
    { Entries: [{ EventBusName, Source: 'test', DetailType: 'test', Detail: '{}' }] },
  ];
  const sendEmail = (name: string, FromEmailAddress: string): Attempt => [
    name,
    'ses',
    'POST /v2/email/outbound-emails',
    { FromEmailAddress, Destination: { ToAddresses: [] } },
  ];
  const queues = (await resourcesOf(deployment)).filter(({ type }) => type === 'AWS::SQS::Queue');
  return [
    onTable('GetItem', 'GetItem', { Key }),
    ['BatchGetItem', 'dynamodb', 'BatchGetItem', { RequestItems: { [TableName]: { Keys: [Key] } } }],
    onTable('PutItem', 'PutItem', { Item: Key, ...never }),
    onTable('PutItem program', 'PutItem', { Item: program, ...never }),
    onTable('PutItem webhook', 'PutItem', { Item: webhook, ...never }),
    onTable('PutItem ledger sums', 'PutItem', { Item: toKey(ledgerSumsKey(ID, 'none')), ...never }),
    ...Object.entries(PEOPLE_ITEMS).flatMap(([name, key]) => [
      onTable(`PutItem ${name}`, 'PutItem', { Item: toKey(key), ...never }),
      onTable(`DeleteItem ${name}`, 'DeleteItem', { Key: toKey(key), ...never }),
    ]),
    onTable('UpdateItem', 'UpdateItem', { Key, ...update }),
    onTable('UpdateItem token', 'UpdateItem', { Key: token, ...update }),
    onTable('UpdateItem webhook', 'UpdateItem', { Key: webhook, ...update }),
    onTable('UpdateItem sums', 'UpdateItem', { Key: sums, ...update }),
    onTable('UpdateItem totals', 'UpdateItem', { Key: totals, ...update }),
    onTable('DeleteItem', 'DeleteItem', { Key }),
    onTable('DeleteItem webhook', 'DeleteItem', { Key: webhook, ...never }),
    ['BatchWriteItem', 'dynamodb', 'BatchWriteItem', { RequestItems: { [TableName]: [{ DeleteRequest: { Key } }] } }],
    queryTable('Query the table'),
    queryTable('Query webhook', webhook?.pk),
    queryTable('Query sums', sums?.pk),
    queryTable('Query totals', totals.pk),
    queryTable('Query ledger', { S: ledgerPartition(ID, 'none') }),
    queryTable('Query advocates with an email', { S: advocateEmails(ID, HASH) }),
    queryTable('Query codes', toKey(PEOPLE_ITEMS.code).pk),
    queryTable('Query payment', toKey(paymentKey(ID, 'none')).pk),
    ...Object.entries(INDEXES).map(([name, { partitionKey }]) => query(name, partitionKey)),
    onTable('Scan', 'Scan', { Limit: 1 }),
    onTable('UpdateTable', 'UpdateTable', { BillingMode: 'PAY_PER_REQUEST' }),
    onTable('GetItem of another stage', 'GetItem', { Key }, other.tableName),
    onTable('PutItem of another stage', 'PutItem', { Item: Key, ...never }, other.tableName),
    ...queues.flatMap(({ logicalId, physicalId: QueueUrl }): Attempt[] => {
      const name = logicalId.replace(/^(?:(?:Stripe)?Events|Emails)|[0-9A-F]{8}$/g, '');
      return [
        [`SendMessage ${name}`, 'sqs', 'SendMessage', { QueueUrl, MessageBody: '{}' }],
        [`ReceiveMessage ${name}`, 'sqs', 'ReceiveMessage', { QueueUrl, VisibilityTimeout: 0 }],
      ];
    }),
    secrets('stripe', `stripe/${ID}`),
    secrets('webhooks', `webhooks/${ID}/${ID}`),
    secrets('everyone', ''),
    secrets('another stage', `stripe/${ID}`, other.tableName),
    ['PutParameter', 'ssm', 'PutParameter', refused],
    ['DeleteParameters', 'ssm', 'DeleteParameters', { Names: [Name] }],
    sendEmail('SendEmail', FROM),
    sendEmail('SendEmail from another address', `other@${FROM.replace(/^.*@/, '')}`),
    put('PutEvents', `referral-tracking-${stage}`),
    put('PutEvents on the default bus', 'default'),
    ['DescribeLogGroups', 'logs', 'DescribeLogGroups', {}],
  ];
}

/** Tries everything with the credentials of a function: only what it needs must be allowed. */
export async function isForbidden(lambda: DeployedFunction, deployment: Deployment, other: Deployment): Promise<void> {
  const attempts = await attemptsOn(deployment, other);
  const allowed = ALLOWED[lambda.name] ?? [];
  await check(`${lambda.name} gets AccessDenied for ${attempts.length - allowed.length} other requests`, async () => {
    const credentials = credentialsOf(lambda);
    const found = await Promise.all(
      attempts.map(async ([name, service, action, input]) => {
        const { status, text } = await (service === 'ses'
          ? callRest(service, action, JSON.stringify(input), {}, credentials)
          : callJson(service, action, input, credentials));
        // Events are refused one by one, with a status of 200.
        const isRefused = status >= 400 || action === 'PutEvents';
        return isRefused && /AccessDenied|not authorized/.test(text) ? [] : [name];
      }),
    );
    equal(found.flat().toSorted(), allowed.toSorted(), 'allowed requests');
  });
}
