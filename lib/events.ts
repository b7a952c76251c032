import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { queueUrlParameter } from '../functions/secrets/parameter-store.ts';
import { BUS_NAME, DEAD_LETTER_QUEUE_URL, QUEUE_URL, UNPUBLISHED_QUEUE_URL } from '../functions/table/environment.ts';
import { referralKey, webhookKey } from '../functions/table/keys.ts';
import { PARTITION_KEY, SORT_KEY } from '../functions/table/schema.ts';
import { type Extension, type ExtensionAlarm, PERIOD } from './monitoring.ts';
import type { ReferralTable } from './referral-table.ts';
import { allowSecrets } from './secret-access.ts';
import { ServiceFunction } from './service-function.ts';
import { deadLetterAlarm, deadLetterQueue, serviceQueue } from './service-queue.ts';
import type { Settings, Stage } from './settings.ts';

/** What the construct needs from the rest of the stack. */
export interface EventsProps {
  readonly settings: Settings;
  /** The table. Its stream must be enabled. */
  readonly table: ReferralTable;
}

/**
 * Longer than all time limits of a batch combined, including a webhook's 15 seconds. If Lambda stops a call, it repeats
 * the whole batch, and webhooks receive its events twice.
 */
const TIMEOUT = Duration.seconds(60);

/** A pattern of IAM for a UUID. A `*` would also match keys that contain more parts. */
const ANY_ID = '?'.repeat(36);

/**
 * Changes of referrals as events: the table's stream calls `publish`, which sends each event to the bus and, once for
 * each webhook that subscribed to it, to the queue. The queue calls `deliver`, which sends it to the webhook.
 */
export class Events extends Construct implements Extension {
  readonly functions: Readonly<Record<'publish' | 'deliver', ServiceFunction>>;
  readonly alarms: readonly ExtensionAlarm[];
  /** One message for each event and webhook. */
  private readonly queue: Queue;
  /** Deliveries that failed for good. */
  private readonly undelivered: Queue;
  /** Changes that `publish` could not read, and positions in the stream of batches that it could not process. */
  private readonly unpublished: Queue;

  constructor(scope: Construct, id: string, props: EventsProps) {
    super(scope, id);
    this.undelivered = deadLetterQueue(this, 'Undelivered');
    this.unpublished = deadLetterQueue(this, 'Unpublished');
    this.queue = serviceQueue(this, 'Queue', {
      // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html recommends six times the timeout and
      // at least five receives.
      visibilityTimeout: Duration.seconds(6 * TIMEOUT.toSeconds()),
      deadLetterQueue: { queue: this.undelivered, maxReceiveCount: 5 },
    });
    this.functions = { publish: this.createPublish(props), deliver: this.createDeliver(props) };
    this.alarms = this.createAlarms(props.settings.stage);
    // The command line needs only the table's name to find the queue.
    new StringParameter(this, 'QueueUrl', {
      parameterName: queueUrlParameter(props.table.table.tableName),
      // The name is known only at deployment, so that CDK cannot see its slashes.
      simpleName: false,
      stringValue: this.queue.queueUrl,
      description: 'URL of the queue of deliveries to webhooks',
    });
  }

  private createPublish({ settings, table }: EventsProps): ServiceFunction {
    const bus = new EventBus(this, 'Bus', {
      eventBusName: `referral-tracking-${settings.stage.name}`,
      description: `Changes of referrals, stage ${settings.stage.name}`,
    });
    const publish = new ServiceFunction(this, 'publish', {
      entry: 'events/publish-lambda.ts',
      settings,
      table,
      access: { itemActions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'], queriedIndexes: ['by_created_at'] },
      timeout: TIMEOUT,
      environment: {
        [QUEUE_URL]: this.queue.queueUrl,
        [UNPUBLISHED_QUEUE_URL]: this.unpublished.queueUrl,
        [BUS_NAME]: bus.eventBusName,
      },
    });
    publish.allow(['events:PutEvents'], bus.eventBusArn);
    publish.allow(['sqs:SendMessage'], this.queue.queueArn);
    publish.allow(['sqs:SendMessage'], this.unpublished.queueArn);
    const { streamArn } = table;
    publish.allow(
      ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
      streamArn,
    );
    new EventSourceMapping(this, 'Stream', {
      target: publish.lambda,
      eventSourceArn: streamArn,
      // A new mapping polls only after some minutes. LATEST would lose what changes until then.
      startingPosition: StartingPosition.TRIM_HORIZON,
      // Lambda does not call the function for other writes, nor for deletions.
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.or('INSERT', 'MODIFY'),
          dynamodb: { Keys: { [SORT_KEY]: { S: FilterRule.isEqual(referralKey('', '')[SORT_KEY]) } } },
        }),
      ],
      batchSize: 100,
      // A busy minute of clicks takes one call a second instead of one for each click.
      maxBatchingWindow: Duration.seconds(1),
      // Each shard has ten lanes, in which a referral always has the same one: its changes stay in order, and a batch
      // that fails does not hold up the other lanes.
      parallelizationFactor: 10,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // Lambda retries for 24 hours, as long as the stream keeps a record, so no event is lost if the bus, the queue or
      // the table recovers within a day. `publish` itself sets unreadable records aside.
      maxRecordAge: Duration.hours(24),
      onFailure: { bind: () => ({ destination: this.unpublished.queueArn }) },
    });
    return publish;
  }

  private createDeliver({ settings, table }: EventsProps): ServiceFunction {
    const { queue, undelivered } = this;
    const deliver = new ServiceFunction(this, 'deliver', {
      entry: 'events/deliver-lambda.ts',
      settings,
      table,
      access: {
        itemActions: ['dynamodb:GetItem'],
        limitedActions: {
          actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
          partitionKeys: webhookKey(ANY_ID, ANY_ID)[PARTITION_KEY],
        },
        queriedIndexes: [],
      },
      timeout: TIMEOUT,
      environment: { [QUEUE_URL]: queue.queueUrl, [DEAD_LETTER_QUEUE_URL]: undelivered.queueUrl },
      // It sends a retry to its own queue, and again every 15 minutes until the retry is due: 300 times in 3 days.
      isRecursive: true,
    });
    allowSecrets(deliver, table, 'webhooks');
    deliver.allow(
      ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:SendMessage'],
      queue.queueArn,
    );
    deliver.allow(['sqs:SendMessage'], undelivered.queueArn);
    new EventSourceMapping(this, 'Deliveries', {
      target: deliver.lambda,
      eventSourceArn: queue.queueArn,
      batchSize: 10,
      reportBatchItemFailures: true,
      // 100 deliveries at a time. Even if no webhook responds, deliveries use at most 10 of the account's concurrent
      // executions. Batches of one message would use ten times as many (docs/design.md, Events).
      maxConcurrency: 10,
    });
    return deliver;
  }

  private createAlarms(stage: Stage): ExtensionAlarm[] {
    const options = { period: PERIOD, statistic: Stats.MAXIMUM };
    const disabledWebhooks = new MetricFilter(this, 'DisabledWebhooks', {
      logGroup: this.functions.deliver.logGroup,
      // `deliver` logs these lines. A receiver that responds with 410 wants to be disabled, so it is not counted.
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue('$.message.error', '=', 'webhook_disabled'),
        FilterPattern.stringValue('$.message.reason', '=', 'failing'),
      ),
      metricNamespace: `referral-tracking-${stage.name}`,
      metricName: 'DisabledWebhooks',
    });
    return [
      deadLetterAlarm('UnpublishedEvents', 'changes that did not become events', this.unpublished),
      deadLetterAlarm('UndeliveredEvents', 'deliveries that failed for good', this.undelivered),
      {
        name: 'LateEvents',
        description: 'Changes wait in the stream for 5 minutes',
        metric: this.functions.publish.lambda.metric('IteratorAge', options),
        threshold: Duration.minutes(5).toMilliseconds(),
        graph: 'Age of the stream, ms',
      },
      {
        // A retry that is due in a day is a new message every 15 minutes, the longest delay of SQS. So a message of this
        // age does not wait for its time, but for a free `deliver`.
        name: 'LateDeliveries',
        description: 'Deliveries are 15 minutes late',
        metric: this.queue.metricApproximateAgeOfOldestMessage(options),
        threshold: Duration.minutes(30).toSeconds(),
        graph: 'Age of the oldest delivery, s',
      },
      {
        name: 'DisabledWebhooks',
        description: 'All deliveries to a webhook failed for 5 days, so it is disabled',
        metric: disabledWebhooks.metric(options),
        threshold: 1,
        graph: 'Disabled webhooks',
      },
    ];
  }
}
