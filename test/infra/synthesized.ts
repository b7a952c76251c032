import { readFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { App, Stack } from 'aws-cdk-lib/core';
import { ReferralTrackingStack } from '../../lib/referral-tracking-stack.ts';
import { createStacks } from '../../lib/service-stacks.ts';
import { readSettings } from '../../lib/settings.ts';

/** The values that a deployer passes with `--context`. */
export type Context = Readonly<Record<string, unknown>>;

/**
 * CDK's feature flags, which the CLI reads, but an App in a test does not. All are as recommended, except two:
 * `recognizeLayerVersion` would replace the versions of `rollout`, and Lambda publishes no second version of the same
 * code; `enableAdditionalMetadataCollection` would report more about each deployment to AWS.
 */
export const FLAGS: Context = JSON.parse(readFileSync('cdk.json', 'utf8')).context;
/** Skips bundling, which takes seconds and does not change the template. */
export const UNBUNDLED: Context = { 'aws:cdk:bundling-stacks': [] };
/** Events and emails. */
export const EMAILS: Context = { events: 'on', emails: 'on', emailFrom: 'referrals@example.com' };
/** The settings that add functions to those behind the API. */
export const EXTENDED: Context = {
  ...EMAILS,
  stripeEventSource: 'aws.partner/stripe.com/ed_61TnPrIXmDpEtFa1R2s',
  stripeProgram: '0192e505-9000-77f3-bf94-41d1854e99e1',
};
/** All settings, with a stage that keeps its data. */
export const PRODUCTION: Context = {
  stage: 'prod',
  origins: 'https://www.example.com,https://example.org:8443',
  domain: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b2c3d-0000-4444-8888-0123456789ab',
  hostedZoneId: 'Z0123456789ABC',
  alarmTopicArn: 'arn:aws:sns:eu-central-1:123456789012:on-call',
  quietHours: '6',
  tracing: 'on',
  clicksPerSecond: '50',
  ...EXTENDED,
};

/** CloudFront in front of the API, under the name that AWS generates. */
export const EDGE: Context = { edge: 'on' };
/** Its domain, with a certificate in us-east-1. */
export const EDGE_DOMAIN: Context = {
  domain: 'api.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d-0000-4444-8888-0123456789ab',
  hostedZoneId: 'Z0123456789ABC',
};

/** All other settings that are off by default. */
export const OPERATIONS: Context = {
  clickConcurrency: '20',
  loadAlarms: 'on',
  monthlyBudget: '50',
  alarmTopicArn: 'arn:aws:sns:eu-central-1:123456789012:on-call',
  rollout: 'on',
  backups: 'on',
};

/** The stack as the app builds it from a context, without bundles. */
export function buildStack(context: Context = {}): ReferralTrackingStack {
  const app = new App({ context: { ...FLAGS, ...UNBUNDLED, ...context } });
  const settings = readSettings(app.node.getAllContext());
  return new ReferralTrackingStack(app, 'ReferralTracking', settings);
}

/** The stacks as the app builds them from a context with the edge, in a region that is not CloudFront's. */
export function buildStacks(context: Context, region = 'eu-central-1') {
  const app = new App({ context: { ...FLAGS, ...UNBUNDLED, ...EDGE, ...context } });
  createStacks(app, readSettings(app.node.getAllContext()), { region });
  const [front, main, logs] = ['Edge', 'ReferralTracking', 'EdgeLogs'].map((id) => {
    const stack = app.node.findChild(id);
    if (!Stack.isStack(stack)) throw new Error(`${id} is not a stack.`);
    return stack;
  });
  if (!front || !main || !logs) throw new Error('A stack is missing.');
  return { front, main, logs };
}

/** Remembers what a context was synthesized to, because a synth takes a tenth of a second. Nobody changes a template. */
function remembered<Result>(synth: (context: Context, region?: string) => Result) {
  const results = new Map<string, Result>();
  return (context: Context = {}, region?: string): Result => {
    const key = JSON.stringify([context, region]);
    const result = results.get(key) ?? synth(context, region);
    results.set(key, result);
    return result;
  };
}

/** The templates of these stacks. */
export const synthesizeEdge = remembered((context, region) => {
  const { front, main, logs } = buildStacks(context, region);
  const of = (stack: Stack) => new Synthesized(Template.fromStack(stack));
  return { front: of(front), main: of(main), logs: of(logs) };
});

export const synthesize = remembered((context) => new Synthesized(Template.fromStack(buildStack(context))));

/** Finds the resources of a template by type. */
export class Synthesized {
  readonly template: Template;

  constructor(template: Template) {
    this.template = template;
  }

  /** Returns logical ids and resources of a type. */
  all(type: string): [id: string, resource: Resource][] {
    return Object.entries(this.template.findResources(type)).map(([id, resource]) => [
      id,
      { ...resource, Properties: resource['Properties'] ?? {} },
    ]);
  }

  /** Returns the only resource of a type whose logical id starts with `prefix`. Throws if there is not exactly one. */
  one(type: string, prefix = ''): [id: string, resource: Resource] {
    const [found, ...others] = this.all(type).filter(([id]) => id.startsWith(prefix));
    if (!found || others.length > 0) throw new Error(`There is not exactly one ${type} with the prefix "${prefix}".`);
    return found;
  }
}

export interface Resource {
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly DependsOn?: readonly string[];
}

/** A reference to the ARN of a parameter of the service, by the table's logical id and the rest of its name. */
export const parameterArn = (tableId: string, rest: string) => {
  const [partition, region, account] = ['Partition', 'Region', 'AccountId'].map((name) => ({ Ref: `AWS::${name}` }));
  const parts = [
    'arn:',
    partition,
    ':ssm:',
    region,
    ':',
    account,
    ':parameter/referral-tracking/',
    { Ref: tableId },
    rest,
  ];
  return { 'Fn::Join': ['', parts] };
};

/** A reference to an attribute of a resource, as in a template. */
export const attribute = (id: string, name: string) => ({ 'Fn::GetAtt': [id, name] });
