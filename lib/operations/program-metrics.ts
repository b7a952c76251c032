import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import { DIMENSION, NAMESPACE, type Metric as Name } from '../../functions/kernel/log/metrics.ts';
import type { Settings } from '../settings.ts';

/** A metric that functions write into their logs: the sum of all programs of the stage. */
export function programMetric({ stage }: Settings, metricName: Name, period = Duration.minutes(5)): Metric {
  const dimensionsMap = { [DIMENSION]: stage.name };
  return new Metric({ namespace: NAMESPACE, metricName, dimensionsMap, statistic: Stats.SUM, period });
}
