import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Stack } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { NODE_COMPILE_CACHE } from '../support/start.ts';
import {
  buildStack,
  buildStacks,
  type Context,
  EDGE,
  EDGE_DOMAIN,
  EXTENDED,
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
      // Takes seconds for each template. validation.test.ts validates them.
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

  test('the app builds the stack for the account and region of the credentials', () => {
    const { status } = runApp(PRODUCTION, {
      CDK_DEFAULT_ACCOUNT: '123456789012',
      CDK_DEFAULT_REGION: 'eu-central-1',
    });
    expect(status).toBe(0);
    expect(manifest().artifacts.ReferralTracking).toMatchObject({
      environment: 'aws://123456789012/eu-central-1',
      properties: { stackName: 'referral-tracking-prod', terminationProtection: true },
    });
  });

  test('the app builds the stacks of the edge in the order of their deployment', () => {
    expect(runApp(EDGE, { CDK_DEFAULT_REGION: 'eu-central-1' }).status).toBe(0);
    const { Edge, ReferralTracking, EdgeLogs } = manifest().artifacts;
    const stackOf = ({ environment, properties: { stackName } }: typeof Edge) => [stackName, environment];
    expect([Edge, ReferralTracking, EdgeLogs].map(stackOf)).toEqual([
      ['referral-tracking-dev--edge', 'aws://unknown-account/us-east-1'],
      ['referral-tracking-dev', 'aws://unknown-account/eu-central-1'],
      ['referral-tracking-dev--edge-logs', 'aws://unknown-account/us-east-1'],
    ]);
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

  test('the app needs a region for the edge', () => {
    const { status, stderr } = runApp(EDGE);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'The context value "edge" requires a region: set AWS_REGION, or choose a profile.\n',
    });
  });

  test('the app reports an invalid context in one sentence', () => {
    const { status, stdout, stderr } = runApp({ domain: 'api.example.com' });
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The context value "domain" requires "certificateArn".\n',
    });
  });

  test('the app refuses a misspelled setting', () => {
    const { status, stderr } = runApp({ event: 'on' });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^The context value "event" is not a setting\. Did you mean "events"\? .+\.\n$/),
    });
  });
});

describe('the rules of AWS Solutions', () => {
  const findings = (stack: Stack) =>
    new AwsSolutionsChecks(stack).validateScope(stack).violations.map(({ ruleName }) => ruleName);

  test.each([
    ['dev', {}],
    ['prod', PRODUCTION],
    ['dev, with events', { events: 'on' }],
    ['dev, with events of Stripe', { ...EXTENDED, events: 'off' }],
    ['dev, with both', EXTENDED],
    ['dev, with all operations', OPERATIONS],
  ])('the rules of AWS Solutions report nothing for the stage %s', (_, context) => {
    expect(findings(buildStack(context))).toEqual([]);
  });

  test.each([
    ['without a domain', {}],
    ['with a domain', EDGE_DOMAIN],
    ['with a domain whose certificate the app creates', { ...EDGE_DOMAIN, certificateArn: '' }],
    ['of prod with all settings', { ...PRODUCTION, ...EDGE_DOMAIN, ...OPERATIONS }],
  ])('the rules of AWS Solutions report nothing for the stacks of the edge %s', (_, context) => {
    expect(Object.values(buildStacks(context)).flatMap(findings)).toEqual([]);
  });

  test('the rules of AWS Solutions would report a distribution without a firewall', () => {
    const { main } = buildStacks({});
    const origin = new HttpOrigin('www.example.com');
    new Distribution(main, 'Other', { defaultBehavior: { origin } });
    expect(findings(main)).toEqual(expect.arrayContaining(['AwsSolutions-CFR2', 'AwsSolutions-CFR3']));
  });

  test('the rules of AWS Solutions would report a queue without encryption', () => {
    const stack = buildStack();
    new Queue(stack, 'Queue');
    expect(findings(stack)).toEqual(expect.arrayContaining(['AwsSolutions-SQS3', 'AwsSolutions-SQS4']));
  });
});
