import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  type Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Operation, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { ApiFunctions, ReferralApi } from '../api/referral-api.ts';
import type { ServiceFunction } from '../api/service-function.ts';
import type { Settings } from '../settings.ts';
import { loadAlarms } from './load-alarms.ts';
import { programMetric } from './program-metrics.ts';

export interface MonitoringProps {
  readonly api: ReferralApi;
  readonly functions: ApiFunctions;
  readonly table: TableV2;
  readonly extensions: readonly Extension[];
  readonly settings: Settings;
}

/** A part of the service with functions that are not behind the API. */
export interface Extension {
  /** By name. */
  readonly functions: Readonly<Record<string, ServiceFunction>>;
  readonly alarms: readonly ExtensionAlarm[];
}

/** An alarm of an extension. Its metric also appears in the graph of this title. */
export interface ExtensionAlarm {
  readonly name: string;
  readonly description: string;
  /** In a period of `PERIOD`, without a label: an alarm could then not be a plain alarm on one metric. */
  readonly metric: Metric;
  /** The lowest value that raises the alarm. */
  readonly threshold: number;
  readonly graph: string;
  /** The name of the metric in a graph with several ones. */
  readonly label?: string;
}

/**
 * The operations that the functions use, without UpdateItem: `deliver` uses it a few times when a webhook starts to
 * fail. DynamoDB's error metrics are per operation.
 */
const OPERATIONS = [
  Operation.GET_ITEM,
  Operation.BATCH_GET_ITEM,
  Operation.QUERY,
  Operation.PUT_ITEM,
  Operation.TRANSACT_WRITE_ITEMS,
];
/** The period of all alarms. */
export const PERIOD = Duration.minutes(5);
/** Number of server errors in a period that raises an alarm. Callers recover from a single error with a retry. */
const SERVER_ERRORS = 5;

/**
 * A dashboard, and alarms for failures that only the operator can repair. Alarms on 4xx, clicks, latency and concurrency
 * depend on a service's load, so that they are a setting.
 */
export class Monitoring extends Construct {
  /** By name. */
  readonly alarms: Readonly<Record<string, Alarm>>;

  constructor(scope: Construct, id: string, { api, functions, table, extensions, settings }: MonitoringProps) {
    super(scope, id);
    const { stage } = api;
    const { alarmTopicArn, quietHours } = settings;
    const period = PERIOD;
    const lambdas = [functions, ...extensions.map((extension) => extension.functions)]
      .flatMap((group) => Object.entries<ServiceFunction>(group))
      .map(([name, { lambda }]) => ({ name, lambda }));
    const alarms = extensions.flatMap((extension) => extension.alarms);
    const tableThrottles = table.metricThrottledRequestsForOperations({ operations: OPERATIONS, period });
    const tableErrors = table.metricSystemErrorsForOperations({ operations: OPERATIONS, period });
    const action = alarmTopicArn && new SnsAction(Topic.fromTopicArn(this, 'Topic', alarmTopicArn));
    const byName: Record<string, Alarm> = {};
    const addAlarm = (name: string, alarmDescription: string, metric: IMetric, threshold = 1) => {
      const alarm = new Alarm(this, name, {
        alarmDescription,
        metric,
        threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: 1,
        // Without requests there are no data points.
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      if (action) alarm.addAlarmAction(action);
      byName[name] = alarm;
    };

    addAlarm('ApiServerErrors', 'The API returns 5xx responses', stage.metricServerError({ period }), SERVER_ERRORS);
    for (const { name, lambda } of lambdas) {
      // The functions behind the API turn every error into a response, and the functions of events report the records
      // that failed. So these errors are crashes, timeouts and lack of memory, and in `stripe` also an unreachable
      // table.
      addAlarm(`${name}-errors`, `Function ${name} crashes or times out`, lambda.metricErrors({ period }));
      addAlarm(`${name}-throttles`, `Function ${name} is throttled`, lambda.metricThrottles({ period }));
    }
    addAlarm('TableThrottles', 'DynamoDB throttles: a hot partition or an account limit', tableThrottles);
    addAlarm('TableErrors', 'DynamoDB returns server errors', tableErrors, SERVER_ERRORS);
    if (quietHours !== undefined) {
      addAlarm('NoConversions', `Clicks but no conversions for ${quietHours} hours`, quietness(settings, quietHours));
    }
    const ofLoad = settings.load.hasAlarms ? loadAlarms(stage, settings) : [];
    for (const { name, description, metric, threshold } of [...alarms, ...ofLoad]) {
      addAlarm(name, description, metric, threshold);
    }
    this.alarms = byName;

    // Three graphs in a row.
    const graph = (title: string, ...left: IMetric[]) => new GraphWidget({ title, left, width: 8 });
    new Dashboard(this, 'Dashboard', { defaultInterval: Duration.days(1) }).addWidgets(
      graph('API requests', stage.metricCount(), stage.metricClientError(), stage.metricServerError()),
      graph('API latency, ms', ...[50, 99].map((percent) => stage.metricLatency({ statistic: Stats.p(percent) }))),
      graph(
        'Function duration p99, ms',
        ...lambdas.map(({ name, lambda }) => lambda.metricDuration({ statistic: Stats.p(99), label: name })),
      ),
      graph(
        'Function errors and throttles',
        ...lambdas.flatMap(({ name, lambda }) => [
          lambda.metricErrors({ label: `${name} errors` }),
          lambda.metricThrottles({ label: `${name} throttles` }),
        ]),
      ),
      graph('Table capacity', table.metricConsumedReadCapacityUnits(), table.metricConsumedWriteCapacityUnits()),
      graph('Table throttles', tableThrottles),
      graph(
        'Clicks and conversions',
        ...(['Clicks', 'Conversions', 'RefusedConversions', 'UnknownSlugs'] as const).map((name) =>
          programMetric(settings, name),
        ),
      ),
      ...(settings.hasEvents
        ? [
            graph(
              'Deliveries of webhooks',
              ...(['SucceededDeliveries', 'FailedDeliveries'] as const).map((name) => programMetric(settings, name)),
            ),
          ]
        : []),
      ...Object.entries(Object.groupBy(alarms, (alarm) => alarm.graph)).map(([title, group = []]) =>
        graph(title, ...group.map(({ metric, label }) => (label === undefined ? metric : metric.with({ label })))),
      ),
    );
  }
}

/** 1 if there were clicks but no conversions within some hours, else 0; without clicks, it has no value. */
function quietness(settings: Settings, hours: number): MathExpression {
  const period = Duration.hours(hours);
  return new MathExpression({
    expression: 'IF(clicks > 0 AND conversions < 1, 1, 0)',
    usingMetrics: {
      clicks: programMetric(settings, 'Clicks', period),
      conversions: programMetric(settings, 'Conversions', period),
    },
    period,
  });
}
