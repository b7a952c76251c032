import path from 'node:path';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, LoggingFormat, Runtime, SystemLogLevel, Tracing } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { FunctionName } from '../functions/routes.ts';
import { TABLE_NAME } from '../functions/table/environment.ts';
import type { ReferralTable, TableAccess } from './referral-table.ts';
import type { Settings, Stage } from './settings.ts';

export interface EndpointFunctionProps {
  /** Folder in `functions` that contains the entry point, `lambda.ts`. */
  readonly name: FunctionName;
  readonly settings: Settings;
  readonly table: ReferralTable;
  readonly access: TableAccess;
}

const ROOT = path.resolve(import.meta.dirname, '..');

const BUNDLING: BundlingOptions = {
  // An ES module that imports node:http also loads undici, because it reads every export of the built-in module.
  format: OutputFormat.CJS,
  // Lambda's own SDK changes without notice, and loads more slowly than a bundle of only the code that is used.
  bundleAwsSDK: true,
  // esbuild can tree-shake the SDK's ES modules, but not the CommonJS files that it prefers for Node by default.
  mainFields: ['module', 'main'],
  // The SDK imports event streams dynamically, and esbuild keeps all modules that a dynamic import may reach. No
  // operation of DynamoDB uses event streams, so the import never runs.
  externalModules: ['@smithy/core/event-streams'],
  esbuildArgs: { '--alias': ['@aws-sdk/credential-provider-node=./functions/table/credential-provider.ts'] },
  minify: true,
  // Stack traces in the log need the function names. Source maps would show more but slow down every cold start.
  keepNames: true,
  commandHooks: {
    beforeBundling: () => [],
    beforeInstall: () => [],
    afterBundling: (inputDir, outputDir) => [`cp "${path.join(inputDir, 'functions', 'entry.mjs')}" "${outputDir}"`],
  },
};

/** A Lambda function behind the API, with its own role and log group. */
export class EndpointFunction extends Construct {
  readonly lambda: NodejsFunction;
  /** All routes of the function share it, because each integration adds resources to the stack. */
  readonly integration: HttpLambdaIntegration;

  constructor(scope: Construct, id: string, { name, settings, table, access }: EndpointFunctionProps) {
    super(scope, id);
    const { stage, isTraced } = settings;
    const logGroup = stageLogGroup(this, 'Logs', stage);
    // The managed policy AWSLambdaBasicExecutionRole would allow writing to every log group of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    table.allow(role, access);
    this.lambda = new NodejsFunction(this, 'Function', {
      description: `Referral tracking, ${stage.name}: ${name}`,
      entry: path.join(ROOT, 'functions', name, 'lambda.ts'),
      projectRoot: ROOT,
      depsLockFilePath: path.join(ROOT, 'package-lock.json'),
      bundling: BUNDLING,
      handler: 'entry.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      // The functions use about 100 MB, but CPU grows with memory: 512 MB speeds up cold starts. More would not help,
      // because warm functions mostly wait for DynamoDB.
      memorySize: 512,
      // The functions return 503 about 250 ms before this limit. API Gateway would wait 30 s, but few callers do.
      timeout: Duration.seconds(10),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // At INFO, Lambda logs the start and a report of each call, which is more than the access log. The report adds
      // only memory use and initialization time to what the metrics show. The functions themselves log failures only,
      // at ERROR, so the application log level keeps its default.
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: isTraced ? Tracing.ACTIVE : Tracing.DISABLED,
      environment: { [TABLE_NAME]: table.table.tableName },
    });
    this.integration = new HttpLambdaIntegration(name, this.lambda);
    if (!isTraced) return;
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'xray:PutTraceSegments and xray:PutTelemetryRecords do not support resource-level permissions.',
    });
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
