import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Stage } from '../settings.ts';

/**
 * A copy of the table every night, kept for 35 days, as long as point-in-time recovery. Unlike it, the copies stay if
 * somebody deletes the table, and AWS Backup can copy them to other regions and accounts.
 */
export class Backups extends Construct {
  constructor(scope: Construct, id: string, { tableArn, stage }: { tableArn: string; stage: Stage }) {
    super(scope, id);
    const vault = new BackupVault(this, 'Vault', {
      backupVaultName: `referral-tracking-${stage.name}`,
      // A vault with copies cannot be deleted.
      removalPolicy: stage.isForDevelopment ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    const plan = new BackupPlan(this, 'Plan', {
      backupPlanName: `referral-tracking-${stage.name}`,
      backupVault: vault,
    });
    plan.addRule(
      new BackupPlanRule({
        ruleName: 'daily',
        scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
        deleteAfter: Duration.days(35),
      }),
    );
    // AWS's managed policy would allow to back up everything in the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('backup.amazonaws.com') });
    const backupActions = ['dynamodb:StartAwsBackupJob', 'dynamodb:DescribeTable', 'dynamodb:ListTagsOfResource'];
    role.addToPolicy(new PolicyStatement({ effect: Effect.ALLOW, actions: backupActions, resources: [tableArn] }));
    plan.addSelection('Table', {
      resources: [BackupResource.fromArn(tableArn)],
      role,
      disableDefaultBackupPolicy: true,
    });
  }
}
