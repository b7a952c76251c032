import { expect, test } from '@jest/globals';
import { InvalidSetting, NAMES } from '../../lib/setting-readers.ts';
import { readSettings } from '../../lib/settings.ts';
import { type Context, EDGE, EDGE_DOMAIN, EMAILS, PRODUCTION } from './synthesized.ts';

const NUMBERS: Context = {
  edgeSecret: '2',
  apiAddress: '3',
  edgeVisitorLimit: '10',
  edgeTokenLimit: '11',
  edgeManagementLimit: '12',
  edgeEventLimit: '13',
  edgeRequestLimit: '2000000',
  clickConcurrency: '5',
  clicksPerHour: '6',
  lambdaQuota: '7',
  monthlyBudget: '50',
  alarmTopicArn: PRODUCTION['alarmTopicArn'],
};

const settingsOf = (context: Context) => readSettings(context);

test('the default is a development stage for all origins', () => {
  expect(settingsOf({})).toStrictEqual({
    stage: { name: 'dev', isForDevelopment: true },
    origins: undefined,
    domain: undefined,
    alarmTopicArn: undefined,
    quietHours: undefined,
    isTraced: false,
    clicksPerSecond: undefined,
    hasEvents: false,
    emails: undefined,
    hasEmails: false,
    stripe: undefined,
    edge: undefined,
    load: {
      clickConcurrency: undefined,
      hasAlarms: false,
      clicksPerHour: 100_000,
      lambdaQuota: 1000,
      budget: undefined,
    },
    hasRollout: false,
    hasBackups: false,
  });
});

test('every setting without the edge is read', () => {
  expect(settingsOf(PRODUCTION)).toStrictEqual({
    ...settingsOf({}),
    stage: { name: 'prod', isForDevelopment: false },
    origins: ['https://www.example.com', 'https://example.org:8443'],
    domain: {
      name: 'api.example.com',
      certificateArn: PRODUCTION['certificateArn'],
      hostedZoneId: 'Z0123456789ABC',
    },
    alarmTopicArn: PRODUCTION['alarmTopicArn'],
    quietHours: 6,
    isTraced: true,
    clicksPerSecond: 50,
    hasEvents: true,
    emails: { from: 'referrals@example.com' },
    hasEmails: true,
    stripe: { eventSource: 'aws.partner/stripe.com/ed_61TnPrIXmDpEtFa1R2s', program: PRODUCTION['stripeProgram'] },
  });
});

test('an empty value counts as missing', () => {
  expect(settingsOf(Object.fromEntries(NAMES.map((name) => [name, ''])))).toEqual(settingsOf({}));
});

test('every setting of the edge is read', () => {
  expect(
    settingsOf({
      ...EDGE,
      ...EDGE_DOMAIN,
      ...NUMBERS,
      edgeIpv6: 'off',
      loadAlarms: 'off',
      rollout: 'on',
      backups: 'on',
    }),
  ).toMatchObject({
    domain: undefined,
    edge: {
      domain: {
        name: 'api.example.com',
        certificateArn: EDGE_DOMAIN['certificateArn'],
        hostedZoneId: 'Z0123456789ABC',
      },
      secret: 2,
      address: 3,
      limits: { visitors: 10, tokens: 11, management: 12, events: 13, requests: 2_000_000 },
      hasIpv6: false,
    },
    load: {
      clickConcurrency: 5,
      hasAlarms: false,
      clicksPerHour: 6,
      lambdaQuota: 7,
      budget: { dollars: 50, topicArn: PRODUCTION['alarmTopicArn'] },
    },
    hasRollout: true,
    hasBackups: true,
  });
});

test('the edge has limits and alarms by default, and needs no domain', () => {
  const { edge, load } = settingsOf(EDGE);
  expect(edge).toEqual({
    domain: undefined,
    secret: 1,
    address: 1,
    limits: { visitors: 300, tokens: 100, management: 1500, events: 6000, requests: 20_000 },
    hasIpv6: true,
  });
  expect(load.hasAlarms).toBe(true);
});

const { certificateArn, stripeEventSource, stripeProgram } = PRODUCTION;

test.each<[name: string, context: Context]>([
  ['stage', { stage: 'Prod' }],
  ['domain', { domain: 'https://api.example.com', certificateArn }],
  ['domain', { domain: 'api.example.com' }],
  ['certificateArn', { certificateArn }],
  ['certificateArn', { domain: 'api.example.com', certificateArn: 'arn:aws:iam::123456789012:role/a' }],
  ['hostedZoneId', { hostedZoneId: 'Z0123456789ABC' }],
  ['hostedZoneId', { ...PRODUCTION, hostedZoneId: 'example.com' }],
  ['alarmTopicArn', { alarmTopicArn: 'on-call' }],
  ['tracing', { tracing: 'true' }],
  ...[50, '0', '007', '1.5', '100000', 'many'].map((rate): [string, Context] => [
    'clicksPerSecond',
    { clicksPerSecond: rate },
  ]),
  ['quietHours', { quietHours: '25' }],
  ['events', { events: true }],
  ['emails', { ...EMAILS, events: 'off' }],
  ['emails', { ...EMAILS, emailFrom: '' }],
  ['emailFrom', { ...EMAILS, emails: 'off' }],
  ...['Referrals@example.com', 'referrals', 'a@b', 'Acme <a@example.com>', '*@example.com', 'a..b@example.com'].map(
    (emailFrom): [string, Context] => ['emailFrom', { ...EMAILS, emailFrom }],
  ),
  ['stripeEventSource', { stripeEventSource }],
  ['stripeProgram', { stripeProgram }],
  ['stripeEventSource', { stripeEventSource: 'aws.partner/stripe.com', stripeProgram }],
  ['stripeProgram', { stripeEventSource, stripeProgram: '0192e505-9000-47f3-bf94-41d1854e99e1' }],
  ['domain', { ...EDGE, domain: 'api.example.com' }],
  ['certificateArn', { ...EDGE, domain: 'api.example.com', certificateArn }],
  ['certificateArn', { ...EDGE, certificateArn: EDGE_DOMAIN['certificateArn'] }],
  ...['edgeSecret', 'apiAddress', 'edgeVisitorLimit'].map((name): [string, Context] => [name, { [name]: '20' }]),
  ['edgeVisitorLimit', { ...EDGE, edgeVisitorLimit: '9' }],
  ['clickConcurrency', { clickConcurrency: '0' }],
  ['monthlyBudget', { monthlyBudget: '50' }],
  ['origins', { origins: '*' }],
  ['origins', { origins: 'https://example.com/' }],
  ['origins', { origins: 'https://example.com,' }],
])('an invalid %s is rejected in one sentence that names it: %p', (name, context) => {
  expect(() => settingsOf(context)).toThrow(InvalidSetting);
  expect(() => settingsOf(context)).toThrow(new RegExp(`^The context value "${name}" [^\\n]+\\.$`));
});

test.each<[unknown: string, nearest: string]>([
  ['event', 'events'],
  ['alarm-topic-arn', 'alarmTopicArn'],
])('the unknown setting %s is refused, and %s is suggested', (unknown, nearest) => {
  // Reported before what depends on it: the misspelled setting looks as if it were missing.
  expect(() => settingsOf({ [unknown]: 'on', domain: 'api.example.com' })).toThrow(
    new InvalidSetting(unknown, `is not a setting. Did you mean "${nearest}"? The settings are ${NAMES.join(', ')}`),
  );
});

test('the context of CDK and of other apps, from ~/.cdk.json, is not refused', () => {
  const others = ['aws:cdk:bundling-stacks', '@aws-cdk/aws-iam:minimizePolicies', 'cli-telemetry', 'team'];
  expect(settingsOf(Object.fromEntries(others.map((name) => [name, true])))).toEqual(settingsOf({}));
});
