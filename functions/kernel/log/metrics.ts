import type { Clock } from '../time.ts';

/** What happened to a program, as a metric in CloudWatch. All are counts. */
export type Metric =
  | 'Clicks'
  | 'Conversions'
  | 'RefusedConversions'
  | 'UnknownSlugs'
  | 'SucceededDeliveries'
  | 'FailedDeliveries'
  | 'LimitedLinks'
  | 'LimitedConfirmations'
  | 'RefusedApplications';

/** Records metrics of a program, with properties by which their line can be found. None contains personal data. */
export type RecordMetrics = (
  program: string,
  metrics: Readonly<Partial<Record<Metric, number>>>,
  properties?: Readonly<Record<string, string>>,
) => void;

export const NAMESPACE = 'ReferralTracking';
/** The only dimension. */
export const DIMENSION = 'stage';

/**
 * Returns a function that writes metrics in CloudWatch's embedded metric format: one line of the log for each call
 * (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html).
 * The stage is the only dimension, because each value of a dimension is a metric that is paid for. The program's id and
 * the reason of a refusal are properties, by which Logs Insights can search and group. `write` gets the line: not
 * `console.log`, which Lambda wraps in a record of its own.
 */
export function metricLog(stage: string, clock: Clock, write: (line: string) => unknown): RecordMetrics {
  return (program, metrics, properties) => {
    const Metrics = Object.keys(metrics).map((Name) => ({ Name, Unit: 'Count' }));
    const CloudWatchMetrics = [{ Namespace: NAMESPACE, Dimensions: [[DIMENSION]], Metrics }];
    const values = { [DIMENSION]: stage, program, ...properties, ...metrics };
    write(`${JSON.stringify({ _aws: { Timestamp: clock(), CloudWatchMetrics }, ...values })}\n`);
  };
}
