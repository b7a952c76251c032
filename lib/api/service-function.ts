import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { PolicyStatement, type PolicyStatementProps, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { AssetHashType, DockerImage, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import { flattenCfnReference } from 'cdk-nag/lib/utils/flatten-cfn-reference.js';
import { Construct } from 'constructs';
import { TABLE_NAME } from '../../functions/kernel/environment.ts';
import type { ReferralTable, TableAccess } from '../data/referral-table.ts';
import type { Settings, Stage } from '../settings.ts';

export interface ServiceFunctionProps {
  /** Path of the entry point in `functions`, such as `lambdas/tracking.ts`. */
  readonly entry: string;
  readonly settings: Settings;
  readonly table: ReferralTable;
  readonly access: TableAccess;
  /** True if the function serves the pages: they are built into files beside its bundle. */
  readonly servesPages?: boolean;
  /** 10 seconds by default. */
  readonly timeout?: Duration;
  /** Environment variables besides the table's name. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * True if a chain of invocations may contain the function more than 16 times. By default, Lambda stops it then
   * (https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html).
   */
  readonly isRecursive?: boolean;
  /** Concurrent executions that only this function has, and the most that it can have. Without it, all share the rest. */
  readonly reservedConcurrency?: number;
}

const ROOT = path.resolve(import.meta.dirname, '../..');

/** The folder that Lambda gets: a function's bundle, and the pages if it serves them. */
const functionCode = (entry: string, servesPages: boolean) =>
  Code.fromAsset(ROOT, {
    // The code determines the hash, so that a change of another file does not deploy the function again.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('not-used'),
      // CDK bundles once for all assets whose options, as JSON, are equal.
      command: [entry],
      local: {
        tryBundle: (folder) => {
          run('build-function.ts', entry, folder);
          if (servesPages) run('build-pages.ts', folder);
          return true;
        },
      },
    },
  });

/** Runs a command of `bin`. It is a process of its own, because CDK waits only for functions that do not await. */
const run = (command: string, ...args: string[]) =>
  execFileSync(process.execPath, [path.join(ROOT, 'bin', command), ...args], { stdio: 'inherit' });

/** A Lambda function with its own role and log group. Its id is its name in descriptions, alarms and graphs. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly logGroup: LogGroup;
  private readonly role: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { entry, settings, table, access, timeout, environment, servesPages = false } = props;
    const { isRecursive = false, reservedConcurrency } = props;
    const { stage, isTraced } = settings;
    this.logGroup = stageLogGroup(this, 'Logs', stage);
    // The managed policy AWSLambdaBasicExecutionRole would allow writing to every log group of the account.
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(this.role);
    table.allow(this.role, access);
    this.lambda = new LambdaFunction(this, 'Function', {
      description: `Referral tracking, ${stage.name}: ${id}`,
      code: functionCode(entry, servesPages),
      handler: 'entry.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      // The functions use about 100 MB, but CPU grows with memory: 512 MB speeds up cold starts. More would not help,
      // because warm functions mostly wait for DynamoDB.
      memorySize: 512,
      // The functions behind the API return 503 about 250 ms before this limit. API Gateway would wait 30 s, but few
      // callers do.
      timeout: timeout ?? Duration.seconds(10),
      role: this.role,
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      // At INFO, Lambda logs the start and a report of each invocation, which is more than the access log. The report
      // adds only memory use and initialization time to what the metrics show. The functions themselves log failures
      // only, at ERROR, so the application log level keeps its default.
      systemLogLevelV2: SystemLogLevel.WARN,
      ...(isRecursive && { recursiveLoop: RecursiveLoop.ALLOW }),
      ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
      tracing: isTraced ? Tracing.ACTIVE : Tracing.DISABLED,
      environment: { [TABLE_NAME]: table.table.tableName, ...environment },
    });
    if (!isTraced) return;
    this.acknowledgeWildcard(
      '*',
      'xray:PutTraceSegments and xray:PutTelemetryRecords do not support resource-level permissions.',
    );
  }

  /** Allows exactly these actions on a resource. CDK's own `grant…` methods would add others. */
  allow(actions: readonly string[], resource: string, conditions: PolicyStatementProps['conditions'] = {}): void {
    this.role.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [resource], conditions }));
  }

  /** Gives cdk-nag the reason for a wildcard in the resources of the role's policy. */
  acknowledgeWildcard(resource: string, reason: string): void {
    const finding = flattenCfnReference(Stack.of(this).resolve(resource));
    Validations.of(this.role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${finding}]`, reason });
  }
}

/** A log group that keeps its entries for a week in development stages and for three months in others. */
export function stageLogGroup(scope: Construct, id: string, stage: Stage): LogGroup {
  return new LogGroup(scope, id, {
    retention: stage.isForDevelopment ? RetentionDays.ONE_WEEK : RetentionDays.THREE_MONTHS,
    // An incident may be investigated after the stack is deleted. A retained log group does not block a new stack,
    // because its name is generated.
    removalPolicy: stage.isForDevelopment ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
  });
}
