import { readFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { ReferralTrackingStack } from '../../lib/referral-tracking-stack.ts';
import { readSettings } from '../../lib/settings.ts';

/** What a deployer gives with `--context`. */
export type Context = Readonly<Record<string, unknown>>;

// The flags that the CLI would read: an App made in a test does not.
const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8'));
/** Bundling costs seconds and changes nothing of the template. */
export const UNBUNDLED: Context = { 'aws:cdk:bundling-stacks': [] };
/** Settings of a stage that keeps its data, with everything that is optional. */
export const PRODUCTION: Context = {
  stage: 'prod',
  origins: 'https://www.example.com,https://example.org:8443',
  domain: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b2c3d-0000-4444-8888-0123456789ab',
  hostedZoneId: 'Z0123456789ABC',
  alarmTopicArn: 'arn:aws:sns:eu-central-1:123456789012:on-call',
  tracing: 'on',
};

/** The stack as the app makes it of a context, not bundled. */
export function makeStack(context: Context = {}): ReferralTrackingStack {
  const app = new App({ context: { ...flags, ...UNBUNDLED, ...context } });
  const settings = readSettings((name) => app.node.tryGetContext(name));
  return new ReferralTrackingStack(app, 'ReferralTracking', settings);
}

export function synthesize(context: Context = {}): Synthesized {
  return new Synthesized(Template.fromStack(makeStack(context)));
}

/** A template, asked by type of resource. */
export class Synthesized {
  readonly template: Template;

  constructor(template: Template) {
    this.template = template;
  }

  /** Logical ids and resources of a type. */
  all(type: string): [id: string, resource: Resource][] {
    return Object.entries(this.template.findResources(type)).map(([id, resource]) => [
      id,
      { ...resource, Properties: resource['Properties'] ?? {} },
    ]);
  }

  /** The only one of a type, or the only one of those whose logical id begins with `prefix`. */
  one(type: string, prefix = ''): [id: string, resource: Resource] {
    const [found, ...others] = this.all(type).filter(([id]) => id.startsWith(prefix));
    if (!found || others.length > 0) throw new Error(`Not exactly one ${type} ${prefix}`);
    return found;
  }
}

export interface Resource {
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly DependsOn?: readonly string[];
}

/** An attribute of another resource, as CloudFormation writes it. */
export const attribute = (id: string, name: string) => ({ 'Fn::GetAtt': [id, name] });
