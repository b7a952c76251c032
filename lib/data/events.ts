import { EventBus } from 'aws-cdk-lib/aws-events';
import { EventSourceMapping, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import {
  BUS_NAME,
  DEAD_LETTER_QUEUE_URL,
  QUEUE_URL,
  RETRY_QUEUE_URL,
  STAGE,
  UNPUBLISHED_QUEUE_URL,
} from '../../functions/kernel/environment.ts';
import { queueUrlParameter } from '../../functions/kernel/secrets/parameter-store.ts';
import { allowSecrets } from '../api/secret-access.ts';
import { ServiceFunction } from '../api/service-function.ts';
import { type EventQueues, eventAlarms } from '../operations/event-alarms.ts';
import type { Extension, ExtensionAlarm } from '../operations/monitoring.ts';
import type { Settings } from '../settings.ts';
import type { Emails } from './emails.ts';
import { ANY_PREVIOUS_EMAIL, ANY_WEBHOOK } from './partitions.ts';
import type { ReferralTable } from './referral-table.ts';
import { deadLetterQueue, serviceQueue } from './service-queue.ts';
import { changesOfPeople, changesOfReferrals, newPayments, newPaymentsAndSettlements } from './stream-filter.ts';

/** What the construct needs from the rest of the stack. */
export interface EventsProps {
  readonly settings: Settings;
  readonly table: ReferralTable;
  /** The queues of emails, which `publish` fills; `undefined` without emails. */
  readonly emails: Emails | undefined;
}

/**
 * Longer than all time limits of a batch combined, including a webhook's 15 seconds. If Lambda stops an invocation, it
 * repeats the whole batch, and webhooks receive its events twice.
 */
const TIMEOUT = Duration.seconds(60);

/**
 * Changes of referrals as events: the table's stream calls `publish`, which sends each event to the bus and, once for
 * each webhook that subscribed to it, to the queue of first attempts. This queue and the queue of
 * retries call `deliver`, which sends it to the webhook.
 */
export class Events extends Construct implements Extension {
  readonly functions: Readonly<Record<'publish' | 'deliver', ServiceFunction>>;
  readonly alarms: readonly ExtensionAlarm[];
  /** The queue of first attempts. */
  readonly queue: Queue;
  private readonly queues: EventQueues;

  constructor(scope: Construct, id: string, props: EventsProps) {
    super(scope, id);
    this.queues = this.createQueues();
    this.queue = this.queues.first;
    this.functions = { publish: this.createPublish(props), deliver: this.createDeliver(props) };
    this.alarms = eventAlarms(this, { ...this.functions, ...this.queues, stage: props.settings.stage });
    // The command line needs only the table's name to find the queue.
    new StringParameter(this, 'QueueUrl', {
      parameterName: queueUrlParameter(props.table.table.tableName),
      // The name is known only at deployment, so that CDK cannot see its slashes.
      simpleName: false,
      stringValue: this.queues.first.queueUrl,
      description: 'URL of the queue of deliveries to webhooks',
    });
  }

  private createQueues(): EventQueues {
    const undelivered = deadLetterQueue(this, 'Undelivered');
    // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html recommends six times the timeout and at
    // least five receives.
    const visibilityTimeout = Duration.seconds(6 * TIMEOUT.toSeconds());
    const create = (id: string, maxReceiveCount: number) =>
      serviceQueue(this, id, { visibilityTimeout, deadLetterQueue: { queue: undelivered, maxReceiveCount } });
    return {
      first: create('Queue', 5),
      // A message that waits for a day is received twice before it is due. The others are left for crashes of
      // `deliver`.
      retries: create('Retries', 10),
      undelivered,
      unpublished: deadLetterQueue(this, 'Unpublished'),
    };
  }

  private createPublish({ settings, table, emails }: EventsProps): ServiceFunction {
    const bus = new EventBus(this, 'Bus', {
      eventBusName: `referral-tracking-${settings.stage.name}`,
      description: `Changes of referrals, stage ${settings.stage.name}`,
    });
    const publish = new ServiceFunction(this, 'publish', {
      entry: emails ? 'lambdas/publish-emails.ts' : 'lambdas/publish.ts',
      settings,
      table,
      access: {
        itemActions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
        // The address before a change is kept beside the advocate for a day, because no queue contains an address.
        limitedActions: emails ? [{ actions: ['dynamodb:PutItem'], partitionKeys: [ANY_PREVIOUS_EMAIL] }] : [],
        queriedIndexes: ['by_created_at'],
      },
      timeout: TIMEOUT,
      environment: {
        [QUEUE_URL]: this.queues.first.queueUrl,
        [UNPUBLISHED_QUEUE_URL]: this.queues.unpublished.queueUrl,
        [BUS_NAME]: bus.eventBusName,
        ...emails?.queueUrls,
      },
    });
    publish.allow(['events:PutEvents'], bus.eventBusArn);
    publish.allow(['sqs:SendMessage'], this.queues.first.queueArn);
    publish.allow(['sqs:SendMessage'], this.queues.unpublished.queueArn);
    emails?.allowQueueing(publish);
    table.allowStream(publish);
    new EventSourceMapping(this, 'Stream', {
      target: publish.lambda,
      eventSourceArn: table.streamArn,
      // A new mapping polls only after some minutes. LATEST would lose what changes until then.
      startingPosition: StartingPosition.TRIM_HORIZON,
      // At most five (https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html).
      filters: [
        changesOfReferrals(),
        ...(emails ? [newPaymentsAndSettlements(), ...changesOfPeople()] : [newPayments()]),
      ],
      batchSize: 100,
      // A busy minute of clicks takes one invocation a second instead of one per click.
      maxBatchingWindow: Duration.seconds(1),
      // Each shard has ten lanes, in which a referral always has the same one: its changes stay in order, and a batch
      // that fails does not hold up the other lanes.
      parallelizationFactor: 10,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // Lambda retries for 24 hours, as long as the stream keeps a record, so no event is lost if the bus, the queue or
      // the table recovers within a day. `publish` itself sends poison records there.
      maxRecordAge: Duration.hours(24),
      onFailure: { bind: () => ({ destination: this.queues.unpublished.queueArn }) },
    });
    return publish;
  }

  private createDeliver({ settings, table }: EventsProps): ServiceFunction {
    const { first, retries, undelivered } = this.queues;
    const deliver = new ServiceFunction(this, 'deliver', {
      entry: 'lambdas/deliver.ts',
      settings,
      table,
      access: {
        itemActions: ['dynamodb:GetItem'],
        limitedActions: [
          {
            actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
            partitionKeys: [ANY_WEBHOOK],
          },
        ],
        queriedIndexes: [],
      },
      timeout: TIMEOUT,
      environment: {
        [RETRY_QUEUE_URL]: retries.queueUrl,
        [DEAD_LETTER_QUEUE_URL]: undelivered.queueUrl,
        [STAGE]: settings.stage.name,
      },
      // It sends messages to its own queue: up to 9 retries of an event, and one for each postponement of an attempt.
      isRecursive: true,
    });
    allowSecrets(deliver, table, 'webhooks');
    deliver.allow(['sqs:SendMessage', 'sqs:ChangeMessageVisibility'], retries.queueArn);
    deliver.allow(['sqs:SendMessage'], undelivered.queueArn);
    for (const [mapping, { queueArn }] of Object.entries({ Deliveries: first, RetryDeliveries: retries })) {
      deliver.allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], queueArn);
      new EventSourceMapping(this, mapping, {
        target: deliver.lambda,
        eventSourceArn: queueArn,
        batchSize: 10,
        reportBatchItemFailures: true,
        // 100 deliveries at a time. Even if no webhook responds, deliveries use at most 20 of the account's concurrent
        // executions. Batches of one message would use ten times as many (docs/design.md, Events).
        maxConcurrency: 10,
      });
    }
    return deliver;
  }
}
