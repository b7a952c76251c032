import { EventBus, EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { STRIPE_EVENTS } from '../../functions/stripe/rules/event-types.ts';
import { ServiceFunction } from '../api/service-function.ts';
import type { Extension, ExtensionAlarm } from '../operations/monitoring.ts';
import type { Settings, StripeSource } from '../settings.ts';
import type { ReferralTable } from './referral-table.ts';
import { deadLetterAlarm, deadLetterQueue } from './service-queue.ts';

export interface StripeEventsProps {
  readonly settings: Settings;
  readonly source: StripeSource;
  readonly table: ReferralTable;
}

/**
 * Payments that Stripe sends to EventBridge instead of the API: the bus of the partner event source, and the function
 * `stripe`, which applies them to one program. They need no signing secret.
 */
export class StripeEvents extends Construct implements Extension {
  readonly functions: Readonly<Record<'stripe', ServiceFunction>>;
  readonly alarms: readonly ExtensionAlarm[];

  constructor(scope: Construct, id: string, { settings, source, table }: StripeEventsProps) {
    super(scope, id);
    // It keeps whole events, with the customer's email, so that they can be processed later.
    const unprocessed = deadLetterQueue(this, 'Unprocessed');
    const stripe = new ServiceFunction(this, 'stripe', {
      entry: 'lambdas/stripe.ts',
      settings,
      table,
      access: {
        itemActions: [
          'dynamodb:GetItem',
          'dynamodb:BatchGetItem',
          'dynamodb:PutItem',
          'dynamodb:DeleteItem',
          'dynamodb:ConditionCheckItem',
          // What a referral has brought is added to, in the transaction of its payment.
          'dynamodb:UpdateItem',
        ],
        queriedIndexes: [],
      },
    });
    stripe.allow(['sqs:SendMessage'], unprocessed.queueArn);
    // EventBridge invokes the function asynchronously, so Lambda repeats failed invocations: after one minute and after
    // two.
    stripe.lambda.configureAsyncInvoke({
      retryAttempts: 2,
      maxEventAge: Duration.hours(6),
      onFailure: { bind: () => ({ destination: unprocessed.queueArn }) },
    });
    const { eventSource, program } = source;
    new Rule(this, 'Rule', {
      description: 'Payments from Stripe for the function stripe',
      eventBus: new EventBus(this, 'Bus', { eventSourceName: eventSource }),
      // https://docs.stripe.com/event-destinations/eventbridge
      eventPattern: { source: [eventSource], detailType: [...STRIPE_EVENTS] },
      targets: [
        new LambdaFunction(stripe.lambda, {
          event: RuleTargetInput.fromObject({ program, event: EventField.fromPath('$.detail') }),
          deadLetterQueue: unprocessed,
        }),
      ],
    });
    this.functions = { stripe };
    this.alarms = [deadLetterAlarm('UnprocessedPayments', 'events of Stripe that changed nothing', unprocessed)];
  }
}
