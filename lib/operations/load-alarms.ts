import type { HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import type { Settings } from '../settings.ts';
import { programMetric } from './program-metrics.ts';

/** An alarm on what load does to callers or to the bill. */
export interface LoadAlarm {
  readonly name: string;
  readonly description: string;
  readonly metric: IMetric;
  readonly threshold: number;
}

/** Fewer requests in a period say nothing: one mistake would be a large share. */
const ENOUGH_REQUESTS = 100;
/** Percent of the requests, and of the quota. */
const REFUSED_SHARE = 50;
const QUOTA_SHARE = 80;
/** Milliseconds. A cold start takes one second. */
const SLOW = 3000;

/** The alarms of `loadAlarms`. */
export function loadAlarms(stage: HttpStage, settings: Settings): LoadAlarm[] {
  const period = Duration.minutes(5);
  const { clicksPerHour, lambdaQuota } = settings.load;
  const requests = stage.metricCount({ period });
  /** 0 with few requests. */
  const ifEnough = (expression: string, usingMetrics: Record<string, IMetric>) =>
    new MathExpression({
      expression: `IF(requests >= ${ENOUGH_REQUESTS}, ${expression}, 0)`,
      usingMetrics: { requests, ...usingMetrics },
      period,
    });
  return [
    {
      name: 'RefusedRequests',
      description: `${REFUSED_SHARE} % of the requests get 4xx responses`,
      metric: ifEnough('100 * refused / requests', { refused: stage.metricClientError({ period }) }),
      threshold: REFUSED_SHARE,
    },
    {
      name: 'ManyClicks',
      description: `${clicksPerHour} clicks in an hour`,
      metric: programMetric(settings, 'Clicks', Duration.hours(1)),
      threshold: clicksPerHour,
    },
    {
      name: 'SlowResponses',
      description: `1 % of the requests take ${SLOW / 1000} seconds`,
      metric: ifEnough('slowest', { slowest: stage.metricLatency({ period, statistic: Stats.p(99) }) }),
      threshold: SLOW,
    },
    {
      name: 'Concurrency',
      description: `Functions of the account use ${QUOTA_SHARE} % of ${lambdaQuota} concurrent executions`,
      // Of all functions in the region, with what is reserved. https://docs.aws.amazon.com/lambda/latest/dg/monitoring-concurrency.html
      metric: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'ClaimedAccountConcurrency',
        statistic: Stats.MAXIMUM,
        period,
      }),
      threshold: Math.ceil((lambdaQuota * QUOTA_SHARE) / 100),
    },
  ];
}
