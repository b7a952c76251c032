import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Stage } from './settings.ts';

/** A log group that forgets: after a week in development, else after three months. */
export function stageLogGroup(scope: Construct, id: string, stage: Stage): LogGroup {
  return new LogGroup(scope, id, {
    retention: stage.isForDevelopment ? RetentionDays.ONE_WEEK : RetentionDays.THREE_MONTHS,
    // Who must explain an incident still has the logs when the stack is gone. The name is generated: a log group
    // that was kept is in no new one's way.
    removalPolicy: stage.isForDevelopment ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
  });
}
