import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { App, CfnResource, Stack } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { NODE_COMPILE_CACHE } from '../support/start.ts';
import {
  buildStack,
  buildStacks,
  type Context,
  EDGE,
  EDGE_DOMAIN,
  FLAGS,
  OPERATIONS,
  PRODUCTION,
  UNBUNDLED,
} from './synthesized.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const outdir = mkdtempSync(path.join(tmpdir(), 'cdk-app-'));
afterAll(() => rmSync(outdir, { recursive: true }));

/** Runs the app as the CLI does: context and output folder are passed in the environment. */
function runApp(context: Context, environment: NodeJS.ProcessEnv = {}) {
  return spawnSync(process.execPath, ['bin/app.ts'], {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE,
      // Takes seconds for each template. The tests of templates do it.
      CDK_VALIDATION: 'false',
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: JSON.stringify({ ...FLAGS, ...UNBUNDLED, ...context }),
      ...environment,
    },
  });
}

const manifest = () => JSON.parse(readFileSync(path.join(outdir, 'manifest.json'), 'utf8'));

describe('the app', () => {
  test('the app builds a stack for any account and region without credentials', () => {
    const { status, stdout, stderr } = runApp({});
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(readdirSync(outdir)).toContain('ReferralTracking.template.json');
    expect(manifest().artifacts.ReferralTracking).toMatchObject({
      environment: 'aws://unknown-account/unknown-region',
      properties: { stackName: 'referral-tracking-dev', terminationProtection: false },
    });
  });

  test('the app builds the stacks of the edge in the order of their deployment', () => {
    const credentials = { CDK_DEFAULT_ACCOUNT: '123456789012', CDK_DEFAULT_REGION: 'eu-central-1' };
    expect(runApp({ ...EDGE, stage: 'prod' }, credentials).status).toBe(0);
    const { Edge, ReferralTracking, EdgeLogs } = manifest().artifacts;
    const stackOf = ({ environment, properties: { stackName } }: typeof Edge) => [stackName, environment];
    expect([Edge, ReferralTracking, EdgeLogs].map(stackOf)).toEqual([
      ['referral-tracking-prod--edge', 'aws://123456789012/us-east-1'],
      ['referral-tracking-prod', 'aws://123456789012/eu-central-1'],
      ['referral-tracking-prod--edge-logs', 'aws://123456789012/us-east-1'],
    ]);
    expect(ReferralTracking.properties.terminationProtection).toBe(true);
    expect(ReferralTracking.dependencies).toContain('Edge');
    expect(EdgeLogs.dependencies).toContain('ReferralTracking');
  });

  test('npm run synth reports nothing, neither unset feature flags nor that there are several stacks', () => {
    expect(runApp(EDGE, { CDK_DEFAULT_REGION: 'eu-central-1' }).status).toBe(0);
    const [command = '', ...args] = scripts.synth.split(' ');
    const cdk = path.join('node_modules/.bin', command);
    // In CI, the CLI says less.
    const env = { ...process.env, CI: 'false', CDK_DISABLE_CLI_TELEMETRY: 'true' };
    const { status, stdout, stderr } = spawnSync(cdk, [...args, '--app', outdir], { encoding: 'utf8', env });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test('the app reports an invalid context in one sentence', () => {
    const { status, stdout, stderr } = runApp({ domain: 'api.example.com' });
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The context value "domain" requires "certificateArn".\n',
    });
  });
});

describe('templates', () => {
  beforeAll(() => {
    // jest.config.ts turns CDK's validation off, because it takes seconds for each template.
    delete process.env['CDK_VALIDATION'];
  });
  afterAll(() => {
    process.env['CDK_VALIDATION'] = 'false';
  });
  /** What the rules of AWS Solutions find. */
  const findings = (stack: Stack) =>
    new AwsSolutionsChecks(stack).validateScope(stack).violations.map(({ ruleName }) => ruleName);

  test.each<[string, () => Stack[]]>([
    ['dev with all operations', () => [buildStack(OPERATIONS)]],
    ['prod with events and Stripe', () => [buildStack(PRODUCTION)]],
    ['dev behind the edge', () => Object.values(buildStacks({ ...EDGE_DOMAIN, certificateArn: '' }))],
    [
      'prod behind the edge with all settings',
      () => Object.values(buildStacks({ ...PRODUCTION, ...EDGE_DOMAIN, ...OPERATIONS })),
    ],
  ])('neither CDK nor the rules of AWS Solutions find errors in the stacks of %s', (_, build) => {
    const stacks = build();
    expect(stacks.flatMap(findings)).toEqual([]);
    for (const stack of stacks) expect(() => Template.fromStack(stack)).not.toThrow();
  });

  test('CDK and the rules of AWS Solutions would find an invalid property and an unencrypted queue', () => {
    const stack = new Stack(new App({ context: FLAGS }), 'Stack');
    new CfnResource(stack, 'Invalid', { type: 'AWS::SQS::Queue', properties: { VisibilityTimeout: 'long' } });
    new Queue(stack, 'Queue');
    expect(findings(stack)).toEqual(expect.arrayContaining(['AwsSolutions-SQS3', 'AwsSolutions-SQS4']));
    expect(() => Template.fromStack(stack)).toThrow("is not of type 'integer'");
  });
});
