import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { EventSourceMapping, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { positionKey, statisticsKey } from '../../functions/kernel/dynamodb/keys.ts';
import { PARTITION_KEY } from '../../functions/kernel/dynamodb/schema.ts';
import { STAGE } from '../../functions/kernel/environment.ts';
import { ServiceFunction } from '../api/service-function.ts';
import { type Extension, type ExtensionAlarm, PERIOD } from '../operations/monitoring.ts';
import type { Settings } from '../settings.ts';
import { ANY_ID, type ReferralTable } from './referral-table.ts';
import { changesOfReferrals, newEntries } from './stream-filter.ts';

export interface StatisticsProps {
  readonly settings: Settings;
  readonly table: ReferralTable;
}

/** Patterns of IAM for the sums of a program's month, and for the positions in shards of the stream. */
export const SUMS = statisticsKey(ANY_ID, '?'.repeat('2026-01'.length), null)[PARTITION_KEY];
const POSITIONS = positionKey('*')[PARTITION_KEY];

/** What happened on each day: the table's stream calls `statistics`, which adds each change to the sums of its day. */
export class Statistics extends Construct implements Extension {
  readonly functions: Readonly<Record<'statistics', ServiceFunction>>;
  readonly alarms: readonly ExtensionAlarm[];

  constructor(scope: Construct, id: string, { settings, table }: StatisticsProps) {
    super(scope, id);
    const statistics = new ServiceFunction(this, 'statistics', {
      entry: 'lambdas/statistics.ts',
      settings,
      table,
      // The warm-up reads a token that does not exist.
      access: {
        itemActions: ['dynamodb:GetItem'],
        limitedActions: [{ actions: ['dynamodb:UpdateItem'], partitionKeys: [SUMS, POSITIONS] }],
        queriedIndexes: [],
      },
      timeout: Duration.seconds(60),
      environment: { [STAGE]: settings.stage.name },
    });
    table.allowStream(statistics);
    new EventSourceMapping(this, 'Stream', {
      target: statistics.lambda,
      eventSourceArn: table.streamArn,
      // A new mapping polls only after some minutes. LATEST would lose what changes until then.
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [changesOfReferrals(), newEntries()],
      // A busy minute is one batch, because its transaction costs the same for one change as for many.
      batchSize: 1000,
      maxBatchingWindow: Duration.minutes(1),
      // Only with a window does the event contain the id of the shard. Its state is not used. The longest window ends
      // least often.
      tumblingWindow: Duration.minutes(15),
      // One lane: the position of the shard is one number.
      parallelizationFactor: 1,
      // Lambda retries for 24 hours, as long as the stream keeps a record.
      maxRecordAge: Duration.hours(24),
      bisectBatchOnError: true,
    });
    this.functions = { statistics };
    this.alarms = [
      {
        name: 'LateStatistics',
        description: 'Changes wait for 10 minutes to be counted',
        metric: statistics.lambda.metric('IteratorAge', { period: PERIOD, statistic: Stats.MAXIMUM }),
        threshold: Duration.minutes(10).toMilliseconds(),
        graph: 'Age of the stream, ms',
      },
      {
        name: 'UncountedChanges',
        description: 'Statistics lack changes that could not be read',
        metric: this.unreadableRecords(statistics, settings),
        threshold: 1,
        graph: 'Changes that were not counted',
      },
    ];
  }

  private unreadableRecords({ logGroup }: ServiceFunction, { stage }: Settings) {
    return new MetricFilter(this, 'UnreadableRecords', {
      logGroup,
      filterPattern: FilterPattern.stringValue('$.message.error', '=', 'record_unreadable'),
      metricNamespace: `referral-tracking-${stage.name}`,
      metricName: 'UnreadableRecords',
    }).metric({ period: PERIOD, statistic: Stats.MAXIMUM });
  }
}
