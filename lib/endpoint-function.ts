import path from 'node:path';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, LoggingFormat, Runtime, SystemLogLevel, Tracing } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Duration, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { FunctionName } from '../functions/routes.ts';
import { TABLE_NAME } from '../functions/table/environment.ts';
import { stageLogGroup } from './logs.ts';
import type { ReferralTable, TableAccess } from './referral-table.ts';
import type { Settings } from './settings.ts';

export interface EndpointFunctionProps {
  /** Folder below `functions` whose `lambda.ts` is the entry. */
  readonly name: FunctionName;
  readonly settings: Settings;
  readonly table: ReferralTable;
  readonly access: TableAccess;
}

const ROOT = path.resolve(import.meta.dirname, '..');

const BUNDLING: BundlingOptions = {
  // An ES module that imports node:http loads undici as well, because it reads every export of the built-in module.
  format: OutputFormat.CJS,
  // Lambda's own copy of the SDK changes without notice and loads more slowly than a bundle of what is used.
  bundleAwsSDK: true,
  // esbuild can tree-shake the SDK's ES modules, but not the CommonJS files that it prefers for Node by default.
  mainFields: ['module', 'main'],
  // The SDK imports event streams dynamically, and esbuild keeps everything such a module may reach. DynamoDB has no
  // operation with event streams, so the import never runs.
  externalModules: ['@smithy/core/event-streams'],
  esbuildArgs: {
    '--alias': ['@aws-sdk/credential-provider-node=./functions/table/credential-provider.ts'],
  },
  minify: true,
  // The log shows by function names where an error was thrown. Source maps would say more but slow down every cold
  // start.
  keepNames: true,
  commandHooks: {
    beforeBundling: () => [],
    beforeInstall: () => [],
    afterBundling: (inputDir, outputDir) => [`cp "${path.join(inputDir, 'functions', 'entry.mjs')}" "${outputDir}"`],
  },
};

/** A Lambda function behind the API, with a role and a log group of its own. */
export class EndpointFunction extends Construct {
  readonly name: FunctionName;
  readonly lambda: NodejsFunction;

  constructor(scope: Construct, id: string, { name, settings, table, access }: EndpointFunctionProps) {
    super(scope, id);
    const { stage, isTraced } = settings;
    this.name = name;
    const logGroup = stageLogGroup(this, 'Logs', stage);
    // In place of AWSLambdaBasicExecutionRole, which may write to every log group of the account.
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
      // CPU comes in proportion to memory. Of the memory itself some 100 MB are used: half a gigabyte is for TLS and
      // JSON after a cold start, more would mostly wait for DynamoDB.
      memorySize: 512,
      // The functions give up 250 ms before this and answer 503. API Gateway would wait 30 s, a caller hardly 10.
      timeout: Duration.seconds(10),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // At INFO, Lambda writes a start and a report line for each call, more than the access log. Only the memory used
      // and the time of the initialization are missing from the metrics then; set INFO to see them. The functions log
      // failures only, at ERROR, so their own level stays at its default.
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: isTraced ? Tracing.ACTIVE : Tracing.DISABLED,
      environment: { [TABLE_NAME]: table.table.tableName },
    });
    if (!isTraced) return;
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray has no resources to name: xray:PutTraceSegments and xray:PutTelemetryRecords accept only "*".',
    });
  }
}
