import { expect, test } from '@jest/globals';
import { milliseconds } from '../../../functions/domain/time.ts';
import { metricLog } from '../../../functions/log/metrics.ts';

test('metrics of a program are one line in the embedded metric format, in which program and reason are no dimensions', () => {
  const lines: string[] = [];
  const record = metricLog(
    'prod',
    () => milliseconds(1_769_903_999_123),
    (line) => lines.push(line),
  );
  record('a-program', { Clicks: 3, Conversions: 0 }, { reason: 'none' });
  expect(lines).toEqual([expect.stringMatching(/^\{[^\n]*\}\n$/)]);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    _aws: {
      Timestamp: 1_769_903_999_123,
      CloudWatchMetrics: [
        {
          Namespace: 'ReferralTracking',
          Dimensions: [['stage']],
          Metrics: [
            { Name: 'Clicks', Unit: 'Count' },
            { Name: 'Conversions', Unit: 'Count' },
          ],
        },
      ],
    },
    stage: 'prod',
    program: 'a-program',
    reason: 'none',
    Clicks: 3,
    Conversions: 0,
  });
});
