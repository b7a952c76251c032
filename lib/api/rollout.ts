import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type Alias, type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

const POLICY = 'AWSCodeDeployRoleForLambdaLimited';

/**
 * Gradual deployments of the functions behind the API: a new version gets another tenth of the requests every minute. An
 * alarm sends all requests to the previous version again, and the deployment of the stack fails.
 */
export class Rollout extends Construct {
  private readonly aliases: Readonly<Record<string, Alias>>;

  constructor(scope: Construct, id: string, functions: Readonly<Record<string, ServiceFunction>>) {
    super(scope, id);
    this.aliases = Object.fromEntries(
      Object.entries(functions).map(([name, { lambda }]) => [name, lambda.addAlias('live')]),
    );
  }

  /** What API Gateway invokes, by the name of the function. */
  get targets(): Readonly<Partial<Record<string, IFunction>>> {
    return Object.fromEntries(
      Object.entries(this.aliases).map(([name, { functionArn }]) => [
        name,
        // The type of an alias is no IFunction for `exactOptionalPropertyTypes`.
        LambdaFunction.fromFunctionAttributes(this, name, { functionArn, sameEnvironment: true }),
      ]),
    );
  }

  /** Creates the deployments. The alarms of a function, and of the whole API, stop them. */
  watch(alarms: Readonly<Record<string, Alarm>>): void {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(`service-role/${POLICY}`)],
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/${POLICY}]`,
      reason: 'AWS maintains what CodeDeploy needs for functions. It may only invoke hooks, and there are no hooks.',
    });
    const application = new LambdaApplication(this, 'Application');
    const ofApi = ['ApiServerErrors', 'SlowResponses'];
    for (const [name, alias] of Object.entries(this.aliases)) {
      const names = [`${name}-errors`, `${name}-throttles`, ...ofApi];
      new LambdaDeploymentGroup(this, `${name}-deployment`, {
        application,
        alias,
        role,
        deploymentConfig: LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
        alarms: names.flatMap((each) => alarms[each] ?? []),
      });
    }
  }
}
