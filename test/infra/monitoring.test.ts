import { expect, test } from '@jest/globals';
import { ALARM_METRICS } from '../bench/costs.ts';
import {
  type Context,
  EMAILS,
  EXTENDED,
  PRODUCTION,
  type Resource,
  synthesize,
  synthesizeEdge,
} from './synthesized.ts';

/** All settings that add alarms. */
const ALL: Context = { ...EXTENDED, quietHours: '6' };
const alarmsOf = (context = {}) => synthesize(context).all('AWS::CloudWatch::Alarm');

/** The metric of an alarm, or of the first part of its expression. */
function metricOf(alarm: Resource): string {
  const [, name = ''] = /"MetricName":"(\w+)"/.exec(JSON.stringify(alarm.Properties)) ?? [];
  return name;
}

const BASE = [
  '5xx',
  ...['tracking', 'advocates', 'referrals', 'statistics'].flatMap(() => ['Errors', 'Throttles']),
  'IteratorAge',
  'UnreadableRecords',
  'SystemErrors',
  'ThrottledRequests',
];
const OF_ALL_SETTINGS = [
  ...['integrations', 'publish', 'deliver'].flatMap(() => ['Errors', 'Throttles']),
  ...['unpublished', 'undelivered'].map(() => 'ApproximateNumberOfMessagesVisible'),
  'IteratorAge',
  'ApproximateAgeOfOldestMessage',
  'ApproximateAgeOfOldestMessage',
  'DisabledWebhooks',
  // Emails.
  ...['people', 'mail'].flatMap(() => ['Errors', 'Throttles']),
  ...['ApproximateNumberOfMessagesVisible', 'ApproximateAgeOfOldestMessage', 'ApproximateAgeOfOldestMessage'],
  ...['LimitedLinks', 'LimitedConfirmations', 'RefusedApplications'],
  // Stripe and quiet hours.
  ...['Errors', 'Throttles', 'ApproximateNumberOfMessagesVisible', 'Clicks'],
];

test.each([
  ['the API, every function and the table', {}, BASE],
  ['also the stream, the queues and the dead letters, with all settings', ALL, [...BASE, ...OF_ALL_SETTINGS]],
])('alarms watch %s', (_, context, expected) => {
  expect(
    alarmsOf(context)
      .map(([, alarm]) => metricOf(alarm))
      .sort(),
  ).toEqual(expected.toSorted());
});

test.each([
  ['by default', synthesize(), ALARM_METRICS.always],
  ['with events', synthesize({ events: 'on' }), ALARM_METRICS.always + ALARM_METRICS.events],
  ['with emails', synthesize(EMAILS), ALARM_METRICS.always + ALARM_METRICS.events + ALARM_METRICS.emails],
  ['with quietHours', synthesize({ quietHours: '24' }), ALARM_METRICS.always + ALARM_METRICS.quietHours],
  ['with loadAlarms', synthesize({ loadAlarms: 'on' }), ALARM_METRICS.always + ALARM_METRICS.load],
  ['with clickConcurrency', synthesize({ clickConcurrency: '20' }), ALARM_METRICS.always + ALARM_METRICS.clicks],
  ['with the edge', synthesizeEdge().main, ALARM_METRICS.always + ALARM_METRICS.load],
])('the alarms watch as many metrics as the cost tables count: %s', (_, stack, expected) => {
  const metrics = stack.all('AWS::CloudWatch::Alarm').flatMap(([, { Properties }]) => {
    const queries: { MetricStat?: object }[] = Object(Properties)['Metrics'] ?? [{ MetricStat: {} }];
    return queries.filter(({ MetricStat }) => MetricStat);
  });
  expect(metrics).toHaveLength(expected);
});

test.each([
  ['UnpublishedEvents', 1],
  ['UndeliveredEvents', 1],
  ['UnprocessedPayments', 1],
  // Milliseconds and seconds.
  ['LateEvents', 300_000],
  ['LateStatistics', 600_000],
  ['UncountedChanges', 1],
  ['LateDeliveries', 900],
  ['LateRetries', 90_000],
  ['DisabledWebhooks', 1],
  ['UnsentEmails', 1],
  ['LateLinks', 300],
  ['LateEmails', 3600],
])('the alarm %s is raised by a maximum of %i in five minutes', (name, Threshold) => {
  const [, { Properties }] = synthesize(EXTENDED).one('AWS::CloudWatch::Alarm', `Monitoring${name}`);
  expect(Properties).toMatchObject({ Threshold, ComparisonOperator: 'GreaterThanOrEqualToThreshold' });
  expect(JSON.stringify(Properties)).toMatch(/"Period":300\b.*"Stat(?:istic)?":"Maximum"/);
});

test.each(['LimitedLinks', 'LimitedConfirmations', 'RefusedApplications'])(
  'the alarm %s is raised by a hundred requests over the limits in five minutes, and the dashboard shows its metric',
  (MetricName) => {
    const stack = synthesize({ ...EMAILS, stage: 'prod' });
    const [, { Properties }] = stack.one('AWS::CloudWatch::Alarm', `Monitoring${MetricName}`);
    expect(Properties).toMatchObject({
      ...{ MetricName, Namespace: 'ReferralTracking', Statistic: 'Sum', Period: 300, Threshold: 100 },
      Dimensions: [{ Name: 'stage', Value: 'prod' }],
    });
    const [, dashboard] = stack.one('AWS::CloudWatch::Dashboard');
    const [, graph] = JSON.stringify(dashboard).split('Requests over the limits');
    expect(graph).toContain(MetricName);
  },
);

test('the lines of deliver about a webhook that failed for five days are counted', () => {
  const stack = synthesize({ events: 'on' });
  const [, { Properties }] = stack.one('AWS::Logs::MetricFilter', 'EventsDisabledWebhooks');
  const [logsId] = stack.one('AWS::Logs::LogGroup', 'Eventsdeliver');
  const [, alarm] = stack.one('AWS::CloudWatch::Alarm', 'MonitoringDisabledWebhooks');
  const metric = { MetricName: 'DisabledWebhooks', MetricNamespace: 'referral-tracking-dev' };
  expect(Properties).toEqual({
    LogGroupName: { Ref: logsId },
    // Of a JSON line of Lambda: https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html
    FilterPattern: '{ ($.message.error = "webhook_disabled") && ($.message.reason = "failing") }',
    MetricTransformations: [{ ...metric, MetricValue: '1' }],
  });
  expect(alarm.Properties).toMatchObject({ MetricName: metric.MetricName, Namespace: metric.MetricNamespace });
});

test('the alarm NoConversions is raised by clicks without conversions within the hours of the setting', () => {
  const hours = 24;
  const [, { Properties }] = synthesize({ quietHours: String(hours), stage: 'prod' }).one(
    'AWS::CloudWatch::Alarm',
    'MonitoringNoConversions',
  );
  const metric = (MetricName: string) => ({
    Id: MetricName.toLowerCase(),
    MetricStat: {
      Metric: { MetricName, Namespace: 'ReferralTracking', Dimensions: [{ Name: 'stage', Value: 'prod' }] },
      Period: hours * 3600,
      Stat: 'Sum',
    },
    ReturnData: false,
  });
  expect(Properties).toMatchObject({
    Threshold: 1,
    AlarmDescription: `Clicks but no conversions for ${hours} hours`,
    Metrics: [{ Expression: 'IF(clicks > 0 AND conversions < 1, 1, 0)' }, metric('Clicks'), metric('Conversions')],
  });
});

test('the lines of statistics about records that cannot be read are counted', () => {
  const stack = synthesize();
  const [, { Properties }] = stack.one('AWS::Logs::MetricFilter', 'StatisticsUnreadableRecords');
  const [logsId] = stack.one('AWS::Logs::LogGroup', 'Statisticsstatistics');
  const [, alarm] = stack.one('AWS::CloudWatch::Alarm', 'MonitoringUncountedChanges');
  expect(Properties).toMatchObject({
    LogGroupName: { Ref: logsId },
    FilterPattern: '{ $.message.error = "record_unreadable" }',
  });
  expect(alarm.Properties).toMatchObject({ MetricName: 'UnreadableRecords' });
});

test('missing data does not raise an alarm', () => {
  for (const [, { Properties }] of alarmsOf(ALL))
    expect(Properties).toMatchObject({ TreatMissingData: 'notBreaching', EvaluationPeriods: 1 });
});

test('alarms are sent to the topic in the settings, or to none', () => {
  for (const [, { Properties }] of alarmsOf()) expect(Properties['AlarmActions']).toBeUndefined();
  for (const [, { Properties }] of alarmsOf(PRODUCTION))
    expect(Properties['AlarmActions']).toEqual([PRODUCTION['alarmTopicArn']]);
});
