import { CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { FunctionName } from '../functions/routes.ts';
import { tokenKey } from '../functions/table/keys.ts';
import { PARTITION_KEY } from '../functions/table/schema.ts';
import { Events } from './events.ts';
import { Monitoring } from './monitoring.ts';
import { ReferralApi } from './referral-api.ts';
import { ReferralTable, type TableAccess } from './referral-table.ts';
import { allowSecrets } from './secret-access.ts';
import { ServiceFunction } from './service-function.ts';
import type { Settings } from './settings.ts';
import { StripeEvents } from './stripe-events.ts';

/** A pattern of IAM for a hash. A `*` would also match keys that contain more parts. */
const ANY_HASH = '?'.repeat(64);

/**
 * The table permissions of each function. Every function reads tokens (`GetItem`). A `TransactWriteItems` of puts and
 * deletions needs `PutItem` and `DeleteItem` (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html).
 */
const ACCESS: Readonly<Record<FunctionName, TableAccess>> = {
  tracking: {
    itemActions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
    queriedIndexes: [],
  },
  advocates: {
    itemActions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
    // Tokens are revoked, and hold a copy of their program.
    limitedActions: { actions: ['dynamodb:UpdateItem'], partitionKeys: tokenKey(ANY_HASH)[PARTITION_KEY] },
    queriedIndexes: ['by_created_at'],
  },
  referrals: {
    itemActions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
    queriedIndexes: ['by_created_at', 'by_state', 'by_sub_id', 'by_state_set_at', 'by_program_state'],
  },
};

/** One stage of the whole service. */
export class ReferralTrackingStack extends Stack {
  constructor(scope: Construct, id: string, settings: Settings, props: StackProps = {}) {
    const { stage, alarmTopicArn, hasEvents, stripe } = settings;
    super(scope, id, {
      description: `Referral tracking, stage ${stage.name}`,
      // A stack that is deleted and created again gets a new URL, which callers do not know.
      terminationProtection: !stage.isForDevelopment,
      ...props,
    });
    const table = new ReferralTable(this, 'Storage', settings);
    const apiFunction = (name: FunctionName) =>
      new ServiceFunction(this, name, { entry: `${name}/lambda.ts`, settings, table, access: ACCESS[name] });
    const functions = {
      tracking: apiFunction('tracking'),
      advocates: apiFunction('advocates'),
      referrals: apiFunction('referrals'),
    };
    // The route for Stripe's events checks their signature.
    allowSecrets(functions.tracking, table, 'stripe');
    const api = new ReferralApi(this, 'Api', functions, settings);
    const extensions = [
      ...(hasEvents ? [new Events(this, 'Events', { settings, table })] : []),
      ...(stripe ? [new StripeEvents(this, 'StripeEvents', { settings, source: stripe, table })] : []),
    ];
    new Monitoring(this, 'Monitoring', { api, functions, table: table.table, extensions, alarmTopicArn });

    new CfnOutput(this, 'BaseUrl', { description: 'Base URL of the API', value: api.baseUrl });
    new CfnOutput(this, 'TableName', {
      description: 'Value of TABLE_NAME for ./referrals',
      value: table.table.tableName,
    });
    Tags.of(this).add('service', 'referral-tracking');
    Tags.of(this).add('stage', stage.name);
  }
}
