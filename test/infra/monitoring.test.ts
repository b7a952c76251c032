import { expect, test } from '@jest/globals';
import { ALARM_METRICS } from '../bench/costs.ts';
import { PRODUCTION, synthesize } from './synthesized.ts';

const alarmsOf = (context = {}) => synthesize(context).all('AWS::CloudWatch::Alarm');

test('alarms watch the API, every function and the table', () => {
  const watched = alarmsOf().map(([, { Properties }]) => {
    const text = JSON.stringify(Properties);
    return ['5xx', 'Errors', 'Throttles', 'ThrottledRequests', 'SystemErrors'].find((name) =>
      text.includes(`"MetricName":"${name}"`),
    );
  });
  expect(watched.sort()).toEqual([
    '5xx',
    'Errors',
    'Errors',
    'Errors',
    'SystemErrors',
    'ThrottledRequests',
    'Throttles',
    'Throttles',
    'Throttles',
  ]);
});

test('the alarms watch as many metrics as the cost tables count', () => {
  const metrics = alarmsOf().flatMap(([, { Properties }]) => {
    const queries: { MetricStat?: object }[] = Object(Properties)['Metrics'] ?? [{ MetricStat: {} }];
    return queries.filter(({ MetricStat }) => MetricStat);
  });
  expect(metrics).toHaveLength(ALARM_METRICS);
});

test('missing data does not raise an alarm', () => {
  for (const [, { Properties }] of alarmsOf())
    expect(Properties).toMatchObject({ TreatMissingData: 'notBreaching', EvaluationPeriods: 1 });
});

test('alarms are sent to the topic in the settings, or to none', () => {
  for (const [, { Properties }] of alarmsOf()) expect(Properties['AlarmActions']).toBeUndefined();
  for (const [, { Properties }] of alarmsOf(PRODUCTION))
    expect(Properties['AlarmActions']).toEqual([PRODUCTION['alarmTopicArn']]);
});

test('there is one dashboard', () => {
  synthesize().template.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
});
