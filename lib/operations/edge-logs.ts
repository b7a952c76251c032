import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, ResourcePolicy } from 'aws-cdk-lib/aws-logs';
import { ArnFormat, Fn, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { stageLogGroup } from '../api/service-function.ts';
import type { Stage } from '../settings.ts';

/** The output of the main stack with the id of the distribution. */
export const DISTRIBUTION_ID = 'DistributionId';

/**
 * What the access log of CloudFront contains. Left out on purpose (docs/contract.md, Privacy): addresses (`c-ip`,
 * `x-forwarded-for`) with port, country and network, user agents, cookies, referrers, queries, and paths, which contain
 * slugs. The pattern of the behavior replaces the path.
 */
export const LOG_FIELDS = [
  'date',
  'time',
  'x-edge-location',
  'cs-method',
  'cache-behavior-path-pattern',
  'sc-status',
  'sc-bytes',
  'time-taken',
  'x-edge-result-type',
  'x-edge-detailed-result-type',
  'cs-protocol-version',
  'ssl-protocol',
];

export interface EdgeLogsProps extends StackProps {
  readonly stage: Stage;
  /** Name and region of the stack with the distribution. */
  readonly main: { readonly stackName: string; readonly region: string };
}

/** The access log of CloudFront. Its deliveries exist in us-east-1 only, and the distribution has to exist first. */
export class EdgeLogsStack extends Stack {
  constructor(scope: Construct, id: string, { stage, main, ...props }: EdgeLogsProps) {
    super(scope, id, { description: `Referral tracking, stage ${stage.name}: access log of CloudFront`, ...props });
    // Sources and policies belong to the account: main stacks in several regions may have the same stage.
    const name = `referral-tracking-${stage.name}-${main.region}`;
    const logGroup = stageLogGroup(this, 'AccessLogs', stage);
    const resourceName = `${logGroup.logGroupName}:log-stream:*`;
    const permission = new ResourcePolicy(this, 'Permission', {
      resourcePolicyName: name,
      policyStatements: [
        new PolicyStatement({
          effect: Effect.ALLOW,
          principals: [new ServicePrincipal('delivery.logs.amazonaws.com')],
          actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
          resources: [
            this.formatArn({
              service: 'logs',
              resource: 'log-group',
              resourceName,
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            }),
          ],
          conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
        }),
      ],
    });
    const distribution = Fn.getStackOutput(main.stackName, DISTRIBUTION_ID, main.region);
    const source = new CfnDeliverySource(this, 'Source', {
      name,
      logType: 'ACCESS_LOGS',
      resourceArn: this.formatArn({
        service: 'cloudfront',
        region: '',
        resource: 'distribution',
        resourceName: distribution,
      }),
    });
    const destination = new CfnDeliveryDestination(this, 'Destination', {
      name,
      destinationResourceArn: logGroup.logGroupArn,
      outputFormat: 'json',
    });
    const delivery = new CfnDelivery(this, 'Delivery', {
      deliverySourceName: source.name,
      deliveryDestinationArn: destination.attrArn,
      recordFields: LOG_FIELDS,
    });
    delivery.node.addDependency(source, permission);
  }
}
