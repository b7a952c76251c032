import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { ServiceFunction } from '../api/service-function.ts';
import { deadLetterAlarm } from '../data/service-queue.ts';
import type { Stage } from '../settings.ts';
import { type ExtensionAlarm, PERIOD } from './monitoring.ts';

/** The queues between the stream and the webhooks. */
export interface EventQueues {
  /** The first attempts: one message for each event and webhook. */
  readonly first: Queue;
  /**
   * The other attempts. A message that waits is in flight, and a queue has at most 120,000 of these: in one queue, the
   * retries of a dead webhook could stop the first attempts of all others.
   */
  readonly retries: Queue;
  /** Deliveries that failed for good. */
  readonly undelivered: Queue;
  /** Changes that `publish` could not read, and positions in the stream of batches that it could not process. */
  readonly unpublished: Queue;
}

/** What the alarms watch. */
export interface WatchedEvents extends EventQueues {
  readonly publish: ServiceFunction;
  readonly deliver: ServiceFunction;
  readonly stage: Stage;
}

/** Creates the metric of disabled webhooks, and returns the alarms of events. */
export function eventAlarms(
  scope: Construct,
  { publish, deliver, first, retries, undelivered, unpublished, stage }: WatchedEvents,
): ExtensionAlarm[] {
  const options = { period: PERIOD, statistic: Stats.MAXIMUM };
  const disabledWebhooks = new MetricFilter(scope, 'DisabledWebhooks', {
    logGroup: deliver.logGroup,
    // `deliver` logs these lines. A receiver that responds with 410 wants to be disabled, so it is not counted.
    filterPattern: FilterPattern.all(
      FilterPattern.stringValue('$.message.error', '=', 'webhook_disabled'),
      FilterPattern.stringValue('$.message.reason', '=', 'failing'),
    ),
    metricNamespace: `referral-tracking-${stage.name}`,
    metricName: 'DisabledWebhooks',
  });
  return [
    deadLetterAlarm('UnpublishedEvents', 'changes that did not become events', unpublished),
    deadLetterAlarm('UndeliveredEvents', 'deliveries that failed for good', undelivered),
    {
      name: 'LateEvents',
      description: 'Changes wait in the stream for 5 minutes',
      metric: publish.lambda.metric('IteratorAge', options),
      threshold: Duration.minutes(5).toMilliseconds(),
      graph: 'Age of the stream, ms',
    },
    {
      name: 'LateDeliveries',
      description: 'Deliveries are 15 minutes late',
      metric: first.metricApproximateAgeOfOldestMessage(options),
      threshold: Duration.minutes(15).toSeconds(),
      graph: 'Age of the oldest delivery, s',
      label: 'first attempts',
    },
    {
      // Retries wait for up to a day, so an older message does not wait for its time, but for a free `deliver`.
      name: 'LateRetries',
      description: 'Retries are an hour late',
      metric: retries.metricApproximateAgeOfOldestMessage(options),
      threshold: Duration.hours(25).toSeconds(),
      graph: 'Age of the oldest delivery, s',
      label: 'retries',
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
