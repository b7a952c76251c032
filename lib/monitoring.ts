import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Operation, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { EndpointFunctions, ReferralApi } from './referral-api.ts';

export interface MonitoringProps {
  readonly api: ReferralApi;
  readonly functions: EndpointFunctions;
  readonly table: TableV2;
  readonly alarmTopicArn: string | undefined;
}

/** What the functions ask of the table: DynamoDB counts its errors by operation. */
const OPERATIONS = [
  Operation.GET_ITEM,
  Operation.BATCH_GET_ITEM,
  Operation.QUERY,
  Operation.PUT_ITEM,
  Operation.TRANSACT_WRITE_ITEMS,
];
const PERIOD = Duration.minutes(5);
/** Server errors within a period that are told: a single one is mended by the caller's retry. */
const TOLD_SERVER_ERRORS = 5;

/**
 * Alarms on what only the service's own people can mend, and a dashboard.
 *
 * Left out on purpose: alarms on 4xx (callers' mistakes would wake the wrong people), on latency (nobody has promised
 * a figure yet) and on cost (budgets belong to the account).
 */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, { api, functions, table, alarmTopicArn }: MonitoringProps) {
    super(scope, id);
    const lambdas = Object.values(functions);
    const operations = { operations: OPERATIONS, period: PERIOD };
    const tableThrottles = table.metricThrottledRequestsForOperations(operations);
    const tableErrors = table.metricSystemErrorsForOperations(operations);
    const alarm = this.alarms(alarmTopicArn);

    alarm('ApiServerErrors', 'Callers get 5xx', api.stage.metricServerError({ period: PERIOD }), TOLD_SERVER_ERRORS);
    for (const { name, lambda } of lambdas) {
      // The functions answer every error of their own: what counts here is a crash, a timeout or a lack of memory.
      alarm(`${name}-errors`, `Function ${name} crashes`, lambda.metricErrors({ period: PERIOD }));
      alarm(`${name}-throttles`, `Function ${name} lacks concurrency`, lambda.metricThrottles({ period: PERIOD }));
    }
    alarm('TableThrottles', 'DynamoDB throttles: a hot partition or a limit of the account', tableThrottles);
    alarm('TableErrors', 'DynamoDB fails', tableErrors, TOLD_SERVER_ERRORS);

    const { stage } = api;
    new Dashboard(this, 'Dashboard', { defaultInterval: Duration.days(1) }).addWidgets(
      graph('API requests', [stage.metricCount(), stage.metricClientError(), stage.metricServerError()]),
      graph('API latency, ms', [
        stage.metricLatency({ statistic: Stats.p(50) }),
        stage.metricLatency({ statistic: Stats.p(99) }),
      ]),
      graph(
        'Function duration p99, ms',
        lambdas.map(({ name, lambda }) => lambda.metricDuration({ statistic: Stats.p(99), label: name })),
      ),
      graph(
        'Function errors and throttles',
        lambdas.flatMap(({ name, lambda }) => [
          lambda.metricErrors({ label: `${name} errors` }),
          lambda.metricThrottles({ label: `${name} throttles` }),
        ]),
      ),
      graph('Table capacity', [table.metricConsumedReadCapacityUnits(), table.metricConsumedWriteCapacityUnits()]),
      graph('Table throttles', [tableThrottles]),
    );
  }

  private alarms(topicArn: string | undefined) {
    const action = topicArn && new SnsAction(Topic.fromTopicArn(this, 'Topic', topicArn));
    return (id: string, alarmDescription: string, metric: IMetric, threshold = 1): void => {
      const alarm = new Alarm(this, id, {
        alarmDescription,
        metric,
        threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: 1,
        // No calls, no errors.
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      if (action) alarm.addAlarmAction(action);
    };
  }
}

/** Three in a row. */
function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8 });
}
