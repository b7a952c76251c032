import { expect, test } from '@jest/globals';
import { InvalidSetting, readSettings } from '../../lib/settings.ts';
import { type Context, PRODUCTION } from './synthesized.ts';

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
    stripe: undefined,
  });
});

test('every setting is read', () => {
  expect(settingsOf(PRODUCTION)).toStrictEqual({
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
    stripe: { eventSource: 'aws.partner/stripe.com/ed_61TnPrIXmDpEtFa1R2s', program: PRODUCTION['stripeProgram'] },
  });
});

test('an empty value counts as missing', () => {
  const empty = {
    stage: '',
    origins: '',
    domain: '',
    certificateArn: '',
    hostedZoneId: '',
    alarmTopicArn: '',
    quietHours: '',
    tracing: '',
    clicksPerSecond: '',
    events: '',
    stripeEventSource: '',
    stripeProgram: '',
  };
  expect(settingsOf(empty)).toEqual(settingsOf({}));
});

test('spaces around origins are ignored', () => {
  expect(settingsOf({ origins: ' https://a.example , http://localhost:3000' }).origins).toEqual([
    'https://a.example',
    'http://localhost:3000',
  ]);
});

test('tracing and events are off by default', () => {
  expect(settingsOf({ tracing: 'on', events: 'on' })).toMatchObject({ isTraced: true, hasEvents: true });
  expect(settingsOf({ tracing: 'off', events: 'off' })).toEqual(settingsOf({}));
});

test.each(['1', '99999'])('clicksPerSecond may be %s', (rate) => {
  expect(settingsOf({ clicksPerSecond: rate }).clicksPerSecond).toBe(Number(rate));
});

test.each(['1', '9', '10', '24'])('quietHours may be %s', (hours) => {
  expect(settingsOf({ quietHours: hours }).quietHours).toBe(Number(hours));
});

const { certificateArn, stripeEventSource, stripeProgram } = PRODUCTION;

test.each<[name: string, context: Context]>([
  ['stage', { stage: 'Prod' }],
  ['stage', { stage: 'a--b' }],
  ['stage', { stage: 'prod-' }],
  ['stage', { stage: 'a'.repeat(25) }],
  ['stage', { stage: 7 }],
  ['domain', { domain: 'https://api.example.com', certificateArn }],
  ['domain', { domain: 'localhost', certificateArn }],
  ['domain', { domain: 'api.example.com' }],
  ['certificateArn', { certificateArn }],
  ['certificateArn', { domain: 'api.example.com', certificateArn: 'arn:aws:iam::123456789012:role/a' }],
  ['hostedZoneId', { hostedZoneId: 'Z0123456789ABC' }],
  ['hostedZoneId', { ...PRODUCTION, hostedZoneId: 'example.com' }],
  ['alarmTopicArn', { alarmTopicArn: 'on-call' }],
  ['tracing', { tracing: 'ON' }],
  ['tracing', { tracing: 'true' }],
  ['tracing', { tracing: true }],
  ...[0, 50, '0', '-1', '007', '1.5', '1e3', '100000', ' 50', 'many'].map((rate): [string, Context] => [
    'clicksPerSecond',
    { clicksPerSecond: rate },
  ]),
  ...[6, '0', '25', '06', '1.5', '-1', 'a day'].map((hours): [string, Context] => [
    'quietHours',
    { quietHours: hours },
  ]),
  ['events', { events: 'ON' }],
  ['events', { events: true }],
  ['stripeEventSource', { stripeEventSource }],
  ['stripeProgram', { stripeProgram }],
  ...[
    'aws.partner/stripe.com',
    'aws.partner/stripe.com/',
    'aws.partner/example.com/ed_123',
    'arn:aws:events:us-east-1::event-source/aws.partner/stripe.com/ed_123',
    `aws.partner/stripe.com/${'a'.repeat(234)}`,
  ].map((name): [string, Context] => ['stripeEventSource', { stripeEventSource: name, stripeProgram }]),
  ...['acme', '0192E505-9000-77F3-BF94-41D1854E99E1', '0192e505-9000-47f3-bf94-41d1854e99e1'].map(
    (program): [string, Context] => ['stripeProgram', { stripeEventSource, stripeProgram: program }],
  ),
  ['origins', { origins: '*' }],
  ['origins', { origins: 'https://example.com/' }],
  ['origins', { origins: 'https://Example.com' }],
  ['origins', { origins: 'https://example.com:443' }],
  ['origins', { origins: 'https://example.com,' }],
  ['origins', { origins: 'ftp://example.com' }],
  ['origins', { origins: 'null' }],
])('an invalid %s is rejected in one sentence that names it: %p', (name, context) => {
  expect(() => settingsOf(context)).toThrow(InvalidSetting);
  expect(() => settingsOf(context)).toThrow(new RegExp(`^The context value "${name}" [^\\n]+\\.$`));
});

test.each<[unknown: string, nearest: string]>([
  ['event', 'events'],
  ['Stage', 'stage'],
  ['alarm-topic-arn', 'alarmTopicArn'],
  ['stripeEvent', 'stripeEventSource'],
])('the unknown setting %s is refused, and %s is suggested', (unknown, nearest) => {
  // Reported before what depends on it: the misspelled setting looks as if it were missing.
  expect(() => settingsOf({ [unknown]: 'on', domain: 'api.example.com' })).toThrow(
    new InvalidSetting(
      unknown,
      `is not a setting. Did you mean "${nearest}"? The settings are ${Object.keys(PRODUCTION).join(', ')}`,
    ),
  );
});

test('context of other apps, from ~/.cdk.json, is not refused', () => {
  expect(settingsOf({ ...PRODUCTION, team: 'growth', retries: '' })).toEqual(settingsOf(PRODUCTION));
});

test("CDK's own context is not refused", () => {
  const own = [
    'aws:cdk:bundling-stacks',
    'aws-cdk:enableDiffNoFail',
    '@aws-cdk/aws-iam:minimizePolicies',
    '@aws-cdk/aws-ec2.securityGroupDisableInlineRules',
    '@aws-cdk-containers/ecs-service-extensions:enableDefaultLogDriver',
    'availability-zones:account=123456789012:region=eu-central-1',
    'acknowledged-issue-numbers',
    'cli-telemetry',
  ];
  expect(settingsOf(Object.fromEntries(own.map((name) => [name, true])))).toEqual(settingsOf({}));
});
