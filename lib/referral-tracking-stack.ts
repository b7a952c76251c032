import { CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { FunctionName } from '../functions/routes.ts';
import { EndpointFunction } from './endpoint-function.ts';
import { Monitoring } from './monitoring.ts';
import { ReferralApi } from './referral-api.ts';
import { ReferralTable, type TableAccess } from './referral-table.ts';
import type { Settings } from './settings.ts';

/**
 * What each function asks of the table. All of them read tokens (`GetItem`). A `TransactWriteItems` of puts needs
 * `PutItem` (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html).
 */
const ACCESS: Readonly<Record<FunctionName, TableAccess>> = {
  tracking: {
    itemActions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:PutItem'],
    queriedIndexes: [],
  },
  advocates: { itemActions: ['dynamodb:GetItem'], queriedIndexes: ['by_created_at'] },
  referrals: {
    itemActions: ['dynamodb:GetItem'],
    queriedIndexes: ['by_created_at', 'by_state', 'by_sub_id', 'by_state_set_at'],
  },
};

/** The whole service in one stage. */
export class ReferralTrackingStack extends Stack {
  constructor(scope: Construct, id: string, settings: Settings, props: StackProps = {}) {
    const { stage, alarmTopicArn } = settings;
    super(scope, id, {
      description: `Referral tracking, stage ${stage.name}`,
      // A stack that is made anew has another address, which callers do not know.
      terminationProtection: !stage.isForDevelopment,
      ...props,
    });
    const table = new ReferralTable(this, 'Storage', stage);
    const functions = {
      tracking: this.endpointFunction('tracking', table, settings),
      advocates: this.endpointFunction('advocates', table, settings),
      referrals: this.endpointFunction('referrals', table, settings),
    };
    const api = new ReferralApi(this, 'Api', functions, settings);
    new Monitoring(this, 'Monitoring', { api, functions, table: table.table, alarmTopicArn });

    new CfnOutput(this, 'BaseUrl', { description: 'Address of the API', value: api.baseUrl });
    new CfnOutput(this, 'TableName', {
      description: 'Table that the admin line works on, as TABLE_NAME',
      value: table.table.tableName,
    });
    Tags.of(this).add('service', 'referral-tracking');
    Tags.of(this).add('stage', stage.name);
  }

  private endpointFunction(name: FunctionName, table: ReferralTable, settings: Settings): EndpointFunction {
    return new EndpointFunction(this, name, { name, settings, table, access: ACCESS[name] });
  }
}
