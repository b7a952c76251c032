import type { Clock } from '../domain/time.ts';

/** What happened to a program, as a metric in CloudWatch. All are counts. */
export type Metric = 'Clicks' | 'Conversions';

/** Records metrics of a program. */
export type RecordMetrics = (program: string, metrics: Readonly<Partial<Record<Metric, number>>>) => void;

const NAMESPACE = 'ReferralTracking';

/**
 * Returns a function that writes metrics in CloudWatch's embedded metric format: one line of the log for each call
 * (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html).
 * The stage is the only dimension, because each value of a dimension is a metric that is paid for. The program's id is a
 * property, by which Logs Insights can search. `write` gets the line: not `console.log`, which Lambda wraps in a record of
 * its own.
 */
export function metricLog(stage: string, clock: Clock, write: (line: string) => unknown): RecordMetrics {
  return (program, metrics) => {
    const Metrics = Object.keys(metrics).map((Name) => ({ Name, Unit: 'Count' }));
    const CloudWatchMetrics = [{ Namespace: NAMESPACE, Dimensions: [['stage']], Metrics }];
    write(`${JSON.stringify({ _aws: { Timestamp: clock(), CloudWatchMetrics }, stage, program, ...metrics })}\n`);
  };
}
