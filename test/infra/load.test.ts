import { describe, expect, test } from '@jest/globals';
import { attribute, OPERATIONS, synthesize, synthesizeEdge } from './synthesized.ts';

// What a synth cannot show: that CodeDeploy moves requests, that a budget sends messages, and that backups are made.

const stack = synthesize(OPERATIONS);
const plain = synthesize();

/** The types of resources that only these settings add. */
const ADDED = /CloudFront|WAFv2|SecretsManager|Budgets|Backup|CodeDeploy|Lambda::(?:Alias|Version)/;

test('the default deployment has nothing of the edge, of budgets, of backups or of gradual deployments', () => {
  const types = Object.values(plain.template.toJSON()['Resources']).map((resource) => Object(resource).Type);
  expect(types.filter((type) => ADDED.test(type))).toEqual([]);
  expect(JSON.stringify(plain.template.toJSON())).not.toMatch(/EDGE_SECRET|BASE_URL|x-origin-verify|GetStackOutput/);
  const all = Object.values(synthesizeEdge(OPERATIONS).main.template.toJSON()['Resources']);
  expect(new Set(all.map((resource) => ADDED.exec(Object(resource).Type)?.[0])).size).toBe(8);
});

test('clicks have reserved executions, the code of tracking, one route, and may only read items and write them', () => {
  const own = synthesize({ clickConcurrency: '20' });
  const [clicksId, clicks] = own.one('AWS::Lambda::Function', 'clicks');
  expect(clicks.Properties).toMatchObject({ ReservedConcurrentExecutions: 20, Timeout: 10 });
  const [, tracking] = own.one('AWS::Lambda::Function', 'tracking');
  expect(tracking.Properties['ReservedConcurrentExecutions']).toBeUndefined();
  expect(clicks.Properties['Environment']).toEqual(tracking.Properties['Environment']);
  const [integrationId = ''] = own
    .all('AWS::ApiGatewayV2::Integration')
    .filter(([, { Properties }]) => JSON.stringify(Properties['IntegrationUri']).includes(clicksId))
    .map(([id]) => id);
  const routes = own
    .all('AWS::ApiGatewayV2::Route')
    .filter(([, { Properties }]) => JSON.stringify(Properties['Target']).includes(integrationId))
    .map(([, { Properties }]) => Properties['RouteKey']);
  expect(routes).toEqual(['POST /v2/tracking/click']);
  const [, policy] = own.one('AWS::IAM::Policy', 'clicks');
  const statements: { Action: unknown }[] = Object(policy.Properties['PolicyDocument']).Statement;
  expect(statements.filter(({ Action }) => !JSON.stringify(Action).includes('logs:'))).toEqual([
    {
      Effect: 'Allow',
      Action: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
      Resource: attribute(own.one('AWS::DynamoDB::GlobalTable')[0], 'Arn'),
    },
  ]);
});

describe('the alarms of load', () => {
  const alarmOf = (name: string, context = {}) =>
    synthesize({ loadAlarms: 'on', ...context }).one('AWS::CloudWatch::Alarm', `Monitoring${name}`)[1].Properties;

  test.each([
    ['RefusedRequests', 50, /"Expression":"IF\(requests >= 100, 100 \* refused \/ requests, 0\)".*"4xx"/],
    ['ManyClicks', 100_000, /"MetricName":"Clicks".*"Period":3600/],
    ['SlowResponses', 3000, /"Expression":"IF\(requests >= 100, slowest, 0\)".*"Stat":"p99"/],
    ['Concurrency', 800, /"MetricName":"ClaimedAccountConcurrency"/],
  ])('the alarm %s is raised at %i', (name, Threshold, metric) => {
    const properties = alarmOf(name);
    expect(properties).toMatchObject({ Threshold, ComparisonOperator: 'GreaterThanOrEqualToThreshold' });
    expect(JSON.stringify(properties)).toMatch(metric);
  });
});

describe('operations', () => {
  test('a budget warns the topic of the alarms at 50, 80 and 100 %', () => {
    const { Budget, NotificationsWithSubscribers } = Object(stack.one('AWS::Budgets::Budget')[1].Properties);
    expect(Budget).toEqual({ BudgetType: 'COST', TimeUnit: 'MONTHLY', BudgetLimit: { Amount: 50, Unit: 'USD' } });
    expect(NotificationsWithSubscribers).toEqual(
      [50, 80, 100].map((Threshold) => ({
        Notification: expect.objectContaining({ NotificationType: 'ACTUAL', Threshold, ThresholdType: 'PERCENTAGE' }),
        Subscribers: [{ SubscriptionType: 'SNS', Address: OPERATIONS['alarmTopicArn'] }],
      })),
    );
  });

  test('a new version of each function behind the API gets its requests gradually, and alarms roll it back', () => {
    const names = ['tracking', 'advocates', 'referrals', 'clicks'];
    for (const name of names) {
      const [aliasId, alias] = stack.one('AWS::Lambda::Alias', name);
      expect(JSON.stringify(stack.template.toJSON()['Resources'][aliasId].UpdatePolicy)).toContain(`Rollout${name}`);
      expect(alias.Properties).toMatchObject({ Name: 'live' });
      const [, group] = stack.one('AWS::CodeDeploy::DeploymentGroup', `Rollout${name}`);
      expect(group.Properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaLinear10PercentEvery1Minute',
        AutoRollbackConfiguration: { Enabled: true, Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'] },
      });
      const alarms = JSON.stringify(group.Properties['AlarmConfiguration']);
      for (const alarm of [`Monitoring${name}errors`, 'MonitoringApiServerErrors', 'MonitoringSlowResponses'])
        expect(alarms).toContain(`{"Ref":"${alarm}`);
    }
    expect(stack.all('AWS::CodeDeploy::DeploymentGroup')).toHaveLength(names.length);
  });

  test('API Gateway invokes the aliases, and may', () => {
    const aliases = new Set(stack.all('AWS::Lambda::Alias').map(([id]) => id));
    const refOf = (value: unknown) => /\{"Ref":"(\w+Aliaslive\w+)"\}/.exec(JSON.stringify(value))?.[1] ?? '';
    const invoked = stack
      .all('AWS::ApiGatewayV2::Integration')
      .map(([, { Properties }]) => Properties['IntegrationUri']);
    const permitted = stack.all('AWS::Lambda::Permission').map(([, { Properties }]) => Properties['FunctionName']);
    for (const each of [...invoked, ...permitted]) expect(aliases).toContain(refOf(each));
    expect(new Set(permitted.map(refOf))).toEqual(aliases);
  });

  test('the table is backed up every night, for 35 days, by a role for this table only', () => {
    const [tableId] = stack.one('AWS::DynamoDB::GlobalTable');
    const arn = attribute(tableId, 'Arn');
    expect(Object(stack.one('AWS::Backup::BackupPlan')[1].Properties['BackupPlan']).BackupPlanRule).toEqual([
      expect.objectContaining({ ScheduleExpression: 'cron(0 3 * * ? *)', Lifecycle: { DeleteAfterDays: 35 } }),
    ]);
    expect(Object(stack.one('AWS::Backup::BackupSelection')[1].Properties['BackupSelection']).Resources).toEqual([arn]);
    const [, policy] = stack.one('AWS::IAM::Policy', 'BackupsRole');
    expect(Object(policy.Properties['PolicyDocument']).Statement).toMatchObject([{ Resource: arn }]);
  });
});
