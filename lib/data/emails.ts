import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Duration, Lazy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import {
  BASE_URL,
  DEAD_LETTER_QUEUE_URL,
  EMAIL_FROM,
  EMAIL_QUEUE_URL,
  LINK_QUEUE_URL,
} from '../../functions/kernel/environment.ts';
import { emailFromParameter } from '../../functions/kernel/secrets/parameter-store.ts';
import { ServiceFunction } from '../api/service-function.ts';
import { type Extension, type ExtensionAlarm, PERIOD } from '../operations/monitoring.ts';
import { programMetric } from '../operations/program-metrics.ts';
import type { Settings } from '../settings.ts';
import {
  ANY_ADVOCATE,
  ANY_ADVOCATE_EMAIL,
  ANY_ADVOCATE_UID,
  ANY_APPLICATION,
  ANY_PROGRAM,
  ANY_SENT_EMAIL,
  ANY_SIGN_IN,
} from './partitions.ts';
import type { ReferralTable } from './referral-table.ts';
import { deadLetterAlarm, deadLetterQueue, serviceQueue } from './service-queue.ts';

export interface EmailsProps {
  readonly settings: Settings;
  readonly table: ReferralTable;
  /** The address that sends all emails. */
  readonly from: string;
  /** Returns the base URL of the links in emails. It is known only when the API exists. */
  readonly baseUrl: () => string;
}

/** Longer than all time limits of an email combined. SES may take 15 seconds. */
const TIMEOUT = Duration.seconds(60);
/** Requests over a limit in `PERIOD` that raise an alarm. */
const MANY_LIMITED = 100;

/** Metrics of requests that cause no email, because somebody had too many. */
const LIMITED = [
  {
    name: 'LimitedLinks',
    description: 'links to sign in were not sent, because their addresses had too many',
    label: 'links',
  },
  {
    name: 'LimitedConfirmations',
    description: 'emails to confirm an address were not sent, because the addresses had too many',
    label: 'confirmations',
  },
  {
    name: 'RefusedApplications',
    description: 'applications were refused, because their programs had too many',
    label: 'refused applications',
  },
] as const;

/**
 * Emails with SES: `publish` fills two queues with what causes emails, and both call `mail`. Links to sign in have a queue of
 * their own, so that no other email delays them.
 */
export class Emails extends Construct implements Extension {
  readonly functions: Readonly<Record<'mail', ServiceFunction>>;
  readonly alarms: readonly ExtensionAlarm[];
  /** The variables of a function that fills the queues. */
  readonly queueUrls: Readonly<Record<string, string>>;
  private readonly links: Queue;
  private readonly others: Queue;

  constructor(scope: Construct, id: string, props: EmailsProps) {
    super(scope, id);
    const { settings, table, from } = props;
    const unsent = deadLetterQueue(this, 'Unsent');
    const create = (id: string, maxReceiveCount: number) =>
      serviceQueue(this, id, {
        visibilityTimeout: Duration.seconds(6 * TIMEOUT.toSeconds()),
        deadLetterQueue: { queue: unsent, maxReceiveCount },
      });
    // `mail` itself moves an email to the dead-letter queue: a link to sign in after 15 minutes and 11 receives, others after a
    // day and 32 receives. The other receives are left for crashes of `mail`.
    this.links = create('Links', 50);
    this.others = create('Others', 50);
    this.queueUrls = { [LINK_QUEUE_URL]: this.links.queueUrl, [EMAIL_QUEUE_URL]: this.others.queueUrl };
    this.functions = { mail: this.createMail(props, unsent) };
    this.alarms = this.emailAlarms(settings, unsent);
    // `doctor` needs only the table's name to find the identity in SES.
    new StringParameter(this, 'From', {
      parameterName: emailFromParameter(table.table.tableName),
      // The name is known only at deployment, so that CDK cannot see its slashes.
      simpleName: false,
      stringValue: from,
      description: 'Address that sends emails',
    });
  }

  /** Allows a function to fill the queues. */
  allowQueueing(publish: ServiceFunction): void {
    for (const { queueArn } of [this.links, this.others]) publish.allow(['sqs:SendMessage'], queueArn);
  }

  private createMail({ settings, table, from, baseUrl }: EmailsProps, unsent: Queue): ServiceFunction {
    const mail = new ServiceFunction(this, 'mail', {
      entry: 'lambdas/mail.ts',
      settings,
      table,
      access: {
        itemActions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
        limitedActions: [
          {
            // An email's mark and the codes of its links, in a transaction that checks advocates, members, a draft or an
            // application; the secret of an advocate's unsubscribe link. The condition on leading keys may see all keys of the
            // transaction.
            actions: ['dynamodb:PutItem', 'dynamodb:ConditionCheckItem'],
            partitionKeys: [
              ...[ANY_SENT_EMAIL, ANY_SIGN_IN, ANY_ADVOCATE, ANY_ADVOCATE_UID, ANY_PROGRAM],
              ANY_APPLICATION,
            ],
          },
          // Mark and codes of an email that SES refused.
          { actions: ['dynamodb:DeleteItem'], partitionKeys: [ANY_SENT_EMAIL, ANY_SIGN_IN] },
          { actions: ['dynamodb:Query'], partitionKeys: [ANY_ADVOCATE_EMAIL, ANY_SIGN_IN] },
        ],
        queriedIndexes: [],
      },
      timeout: TIMEOUT,
      environment: {
        ...this.queueUrls,
        [DEAD_LETTER_QUEUE_URL]: unsent.queueUrl,
        [EMAIL_FROM]: from,
        [BASE_URL]: Lazy.string({ produce: baseUrl }),
      },
    });
    mail.allow(['sqs:SendMessage'], unsent.queueArn);
    // SES asks for the identity of the address if there is one, or else of its domain.
    for (const resourceName of [from, from.slice(from.indexOf('@') + 1)]) {
      const identity = Stack.of(this).formatArn({ service: 'ses', resource: 'identity', resourceName });
      mail.allow(['ses:SendEmail'], identity, { StringEquals: { 'ses:FromAddress': from } });
    }
    // A batch ends with its slowest email. Ten others a second leave room in SES's rate, which is 14 for a new account.
    for (const [mapping, queue, batchSize, maxConcurrency] of [
      ['SendLinks', this.links, 1, 10],
      ['SendOthers', this.others, 1, 2],
    ] as const) {
      mail.allow(
        ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ChangeMessageVisibility'],
        queue.queueArn,
      );
      new EventSourceMapping(this, mapping, {
        target: mail.lambda,
        eventSourceArn: queue.queueArn,
        batchSize,
        reportBatchItemFailures: true,
        maxConcurrency,
      });
    }
    return mail;
  }

  private emailAlarms(settings: Settings, unsent: Queue): ExtensionAlarm[] {
    const ageOf = (queue: Queue) =>
      queue.metricApproximateAgeOfOldestMessage({ period: PERIOD, statistic: Stats.MAXIMUM });
    return [
      deadLetterAlarm('UnsentEmails', 'emails that SES did not accept in time', unsent),
      {
        name: 'LateLinks',
        description: 'Links to sign in are 5 minutes late',
        metric: ageOf(this.links),
        threshold: Duration.minutes(5).toSeconds(),
        graph: 'Age of the oldest email, s',
        label: 'links',
      },
      {
        name: 'LateEmails',
        description: 'Emails are an hour late',
        metric: ageOf(this.others),
        threshold: Duration.hours(1).toSeconds(),
        graph: 'Age of the oldest email, s',
        label: 'others',
      },
      ...LIMITED.map(({ name, description, label }) => ({
        name,
        description: `${MANY_LIMITED} ${description}`,
        metric: programMetric(settings, name, PERIOD),
        threshold: MANY_LIMITED,
        graph: 'Requests over the limits',
        label,
      })),
    ];
  }
}
