import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Duration, Validations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { type ExtensionAlarm, PERIOD } from '../operations/monitoring.ts';

/**
 * Creates an encrypted queue that accepts only requests by TLS. It keeps its messages for 14 days, the longest time of
 * SQS: a message that expires does not go to a dead-letter queue, even if nothing could receive it.
 */
export function serviceQueue(scope: Construct, id: string, props: QueueProps = {}): Queue {
  return new Queue(scope, id, {
    // The keys of SQS are free and need no grant. EventBridge and Lambda could not use the AWS managed key of KMS.
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    ...props,
  });
}

/** Creates a queue for what could not be processed. */
export function deadLetterQueue(scope: Construct, id: string): Queue {
  const queue = serviceQueue(scope, id);
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason:
      'This is a dead-letter queue. The rule finds dead-letter queues of queues and functions, but not of streams.',
  });
  return queue;
}

/** Returns an alarm for the first message in a dead-letter queue. Its description says what is in the queue. */
export function deadLetterAlarm(name: string, content: string, queue: Queue): ExtensionAlarm {
  return {
    name,
    description: `A dead-letter queue is not empty: ${content}`,
    metric: queue.metricApproximateNumberOfMessagesVisible({ period: PERIOD, statistic: Stats.MAXIMUM }),
    threshold: 1,
    graph: 'Dead letters',
    label: name,
  };
}
