import { CfnOutput, Duration, Stack, type StackProps, Tags } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { HAS_EVENTS, QUEUE_URL, STAGE } from '../functions/kernel/environment.ts';
import { FUNCTIONS, type FunctionName } from '../functions/kernel/http/route.ts';
import { ReferralApi } from './api/referral-api.ts';
import { Rollout } from './api/rollout.ts';
import { allowSecrets } from './api/secret-access.ts';
import { ServiceFunction } from './api/service-function.ts';
import { Emails } from './data/emails.ts';
import { Events } from './data/events.ts';
import {
  ANY_ADVOCATE,
  ANY_ADVOCATE_EMAIL,
  ANY_ADVOCATE_UID,
  ANY_APPLICATION,
  ANY_CODES,
  ANY_CONFIRMATIONS,
  ANY_LEDGER,
  ANY_LEDGER_SUMS,
  ANY_PAYMENT,
  ANY_PROGRAM,
  ANY_SIGN_IN,
  ANY_TOKEN,
  ANY_WEBHOOK,
} from './data/partitions.ts';
import { ReferralTable, type TableAccess } from './data/referral-table.ts';
import { MONEY_SUMS, Statistics, SUMS, TOTALS } from './data/statistics.ts';
import { StripeEvents } from './data/stripe-events.ts';
import { Backups } from './operations/backups.ts';
import { Budget } from './operations/budget.ts';
import { Edge, type EdgeProps } from './operations/edge.ts';
import { DISTRIBUTION_ID } from './operations/edge-logs.ts';
import { EdgeSecret } from './operations/edge-secret.ts';
import type { EdgeStack } from './operations/edge-stack.ts';
import { Monitoring } from './operations/monitoring.ts';
import type { Settings } from './settings.ts';

/**
 * The table permissions of each function. Every function reads tokens (`GetItem`). A `TransactWriteItems` of puts,
 * deletions and checks needs `PutItem`, `DeleteItem` and `ConditionCheckItem` (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html).
 */
const ACCESS: Readonly<Record<FunctionName, TableAccess>> = {
  tracking: {
    itemActions: [
      'dynamodb:GetItem',
      'dynamodb:BatchGetItem',
      'dynamodb:PutItem',
      'dynamodb:DeleteItem',
      'dynamodb:ConditionCheckItem',
      // A settlement counts itself, and a payment adds to what its referral has brought. The condition on leading keys may
      // see all keys of the transaction, which also puts the entry and its claim.
      'dynamodb:UpdateItem',
    ],
    queriedIndexes: [],
  },
  advocates: {
    itemActions: [
      'dynamodb:GetItem',
      'dynamodb:BatchGetItem',
      'dynamodb:PutItem',
      'dynamodb:DeleteItem',
      'dynamodb:ConditionCheckItem',
      // Tokens are revoked, and hold a copy of their program; a settlement counts itself.
      'dynamodb:UpdateItem',
    ],
    limitedActions: [
      {
        actions: ['dynamodb:Query'],
        // Advocates are sorted by their totals, and found by their address. A payout run adds up the ledger of each. Codes
        // are listed. An erasure deletes the codes and drafts of an address.
        partitionKeys: [TOTALS, ANY_LEDGER, ANY_CODES, ANY_ADVOCATE_EMAIL, ANY_SIGN_IN],
      },
    ],
    queriedIndexes: ['by_created_at'],
  },
  referrals: {
    itemActions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
    limitedActions: [
      {
        actions: ['dynamodb:Query'],
        // Assistants also find advocates by their address, and see deliveries.
        partitionKeys: [SUMS, MONEY_SUMS, TOTALS, ANY_LEDGER, ANY_PAYMENT, ANY_ADVOCATE_EMAIL, ANY_WEBHOOK],
      },
      // A reader of statements stores the sums that it computed.
      { actions: ['dynamodb:PutItem'], partitionKeys: [ANY_LEDGER_SUMS] },
    ],
    queriedIndexes: ['by_created_at', 'by_state', 'by_sub_id', 'by_state_set_at', 'by_program_state'],
  },
  integrations: {
    itemActions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
    limitedActions: [
      // A new webhook is written together with its program.
      { actions: ['dynamodb:PutItem'], partitionKeys: [ANY_PROGRAM, ANY_WEBHOOK] },
      // A change of the program is copied to its tokens.
      { actions: ['dynamodb:UpdateItem'], partitionKeys: [ANY_TOKEN, ANY_WEBHOOK] },
      // The partition of a webhook also contains its deliveries.
      { actions: ['dynamodb:DeleteItem', 'dynamodb:Query'], partitionKeys: [ANY_WEBHOOK] },
      // Events of payments are rebuilt from the ledger.
      { actions: ['dynamodb:Query'], partitionKeys: [ANY_LEDGER] },
    ],
    // Events of referrals and of applications are rebuilt.
    queriedIndexes: ['by_created_at', 'by_state', 'by_program_state'],
  },
  people: {
    itemActions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
    limitedActions: [
      {
        // A sign-in deletes its code in the transaction that puts the token and the advocate or the members. Later changes
        // check the token. A draft is put with its budgets, and an approval puts the application with the advocate and its
        // claims. The condition on leading keys may see all keys of the transaction.
        actions: ['dynamodb:PutItem', 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem'],
        partitionKeys: [
          ...[ANY_PROGRAM, ANY_TOKEN, ANY_ADVOCATE, ANY_ADVOCATE_UID, ANY_ADVOCATE_EMAIL],
          ...[ANY_SIGN_IN, ANY_APPLICATION, ANY_CONFIRMATIONS],
        ],
      },
      // The end of a session revokes its token.
      { actions: ['dynamodb:UpdateItem'], partitionKeys: [ANY_TOKEN] },
      // An erasure deletes the codes and the applications of an address.
      { actions: ['dynamodb:Query'], partitionKeys: [ANY_SIGN_IN, ANY_ADVOCATE_EMAIL] },
    ],
    // The tokens of a removed member are listed, and applications in a state.
    queriedIndexes: ['by_created_at', 'by_program_state'],
  },
};

/** A click reads its program and advocate, and writes a row. */
const CLICK_ACCESS: TableAccess = {
  itemActions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:PutItem'],
  queriedIndexes: [],
};

export interface ReferralTrackingStackProps {
  readonly props?: StackProps;
  /** The stack in us-east-1, with `edge=on`. */
  readonly front?: Pick<EdgeStack, 'webAclArn' | 'certificateArn'>;
}

/** One stage of the whole service. */
export class ReferralTrackingStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    settings: Settings,
    { props = {}, front }: ReferralTrackingStackProps = {},
  ) {
    const { stage } = settings;
    super(scope, id, {
      description: `Referral tracking, stage ${stage.name}`,
      // A stack that is deleted and created again gets a new URL, which callers do not know.
      terminationProtection: !stage.isForDevelopment,
      ...props,
    });
    const table = new ReferralTable(this, 'Storage', settings);
    let baseUrl = '';
    const secret = settings.edge && new EdgeSecret(this, 'EdgeSecret', settings.edge, stage);
    // Known only when the API exists, which needs the functions.
    const behindEdge = secret?.environment(() => baseUrl) ?? {};
    const apiFunction = (name: FunctionName, environment = {}) =>
      new ServiceFunction(this, name, {
        entry: `lambdas/${name}.ts`,
        settings,
        table,
        access: ACCESS[name],
        servesPages: name === 'tracking',
        timeout: Duration.seconds(FUNCTIONS[name].timeout),
        environment: { ...environment, ...behindEdge },
      });
    const emails =
      settings.emails &&
      new Emails(this, 'Emails', { settings, table, from: settings.emails.from, baseUrl: () => baseUrl });
    const events = settings.hasEvents ? new Events(this, 'Events', { settings, table, emails }) : undefined;
    const clicks = this.createClicks(settings, table, behindEdge);
    const functions = {
      tracking: apiFunction('tracking', { [STAGE]: stage.name }),
      advocates: apiFunction('advocates'),
      referrals: apiFunction('referrals', events && { [HAS_EVENTS]: 'true' }),
      ...(events && { integrations: apiFunction('integrations', { [QUEUE_URL]: events.queue.queueUrl }) }),
      ...(emails && { people: apiFunction('people', { [STAGE]: stage.name }) }),
      ...(clicks && { clicks }),
    };
    // The route for Stripe's events checks their signature.
    allowSecrets(functions.tracking, table, 'stripe');
    if (events && functions.integrations) allowIntegrations(functions.integrations, table, events);
    for (const each of Object.values<ServiceFunction>(functions)) secret?.allow(each);
    const rollout = settings.hasRollout ? new Rollout(this, 'Rollout', functions) : undefined;
    const api = new ReferralApi(this, 'Api', { functions, targets: rollout?.targets, settings });
    baseUrl = secret && front ? this.createEdge({ api, secret, settings, ...front }) : api.baseUrl;
    const extensions = [
      new Statistics(this, 'Statistics', { settings, table }),
      events,
      emails,
      settings.stripe && new StripeEvents(this, 'StripeEvents', { settings, source: settings.stripe, table }),
    ].filter((extension) => extension !== undefined);
    const { alarms } = new Monitoring(this, 'Monitoring', {
      ...{ api, functions, table: table.table, extensions, settings },
    });
    rollout?.watch(alarms);
    this.createBudgetAndBackups(settings, table);

    new CfnOutput(this, 'BaseUrl', { description: 'Base URL of the API', value: baseUrl });
    new CfnOutput(this, 'TableName', {
      description: 'Value of TABLE_NAME for ./referrals',
      value: table.table.tableName,
    });
    Tags.of(this).add('service', 'referral-tracking');
    Tags.of(this).add('stage', stage.name);
  }

  /** Creates the function of clicks, from the same code as `tracking`, if they have their own share of executions. */
  private createClicks(settings: Settings, table: ReferralTable, environment: Readonly<Record<string, string>>) {
    const { clickConcurrency } = settings.load;
    if (clickConcurrency === undefined) return undefined;
    return new ServiceFunction(this, 'clicks', {
      entry: 'lambdas/tracking.ts',
      settings,
      table,
      access: CLICK_ACCESS,
      timeout: Duration.seconds(FUNCTIONS.tracking.timeout),
      environment: { [STAGE]: settings.stage.name, ...environment },
      reservedConcurrency: clickConcurrency,
    });
  }

  private createBudgetAndBackups({ load, hasBackups, stage }: Settings, { table }: ReferralTable): void {
    if (load.budget) new Budget(this, 'Budget', load.budget);
    if (hasBackups) new Backups(this, 'Backups', { tableArn: table.tableArn, stage });
  }

  /** Creates CloudFront. Returns its base URL. */
  private createEdge(props: EdgeProps): string {
    const { baseUrl, distribution } = new Edge(this, 'Edge', props);
    new CfnOutput(this, DISTRIBUTION_ID, {
      description: 'Id of the CloudFront distribution',
      value: distribution.distributionId,
    });
    return baseUrl;
  }
}

/** Allows `integrations` to change the secrets, and to queue deliveries. */
function allowIntegrations(integrations: ServiceFunction, table: ReferralTable, { queue }: Events): void {
  allowSecrets(integrations, table, 'stripe', 'write');
  allowSecrets(integrations, table, 'webhooks', 'write');
  integrations.allow(['sqs:SendMessage'], queue.queueArn);
}
