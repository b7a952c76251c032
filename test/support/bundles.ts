import { join, parse } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import type { FunctionName } from '../../functions/routes.ts';
import { ReferralTrackingStack } from '../../lib/referral-tracking-stack.ts';
import { readSettings } from '../../lib/settings.ts';
import { EXTENDED } from '../infra/synthesized.ts';

/** A function as it is deployed. */
export interface Bundle {
  /** Folder with everything that Lambda gets. */
  readonly folder: string;
  /** File and export that Lambda calls, such as `entry.handler`. */
  readonly handler: string;
}

/** The functions that are not behind the API. */
export type ExtensionName = 'publish' | 'deliver' | 'stripe';

/** Bundles all functions into `outdir` with exactly the options of a deployment: by synthesizing the stack. */
export function bundleFunctions(outdir: string): Record<FunctionName | ExtensionName, Bundle> {
  const app = new App({ outdir });
  const settings = readSettings(EXTENDED);
  const template = Template.fromStack(new ReferralTrackingStack(app, 'ReferralTracking', settings));
  const functions = Object.values(template.findResources('AWS::Lambda::Function'));
  const bundleOf = (name: FunctionName | ExtensionName): Bundle => {
    const resource = functions.find(({ Properties }) => Properties.Description.endsWith(`: ${name}`));
    const { Code, Handler } = Object(resource?.['Properties']);
    return { folder: join(outdir, `asset.${parse(Code.S3Key).name}`), handler: Handler };
  };
  return {
    tracking: bundleOf('tracking'),
    advocates: bundleOf('advocates'),
    referrals: bundleOf('referrals'),
    publish: bundleOf('publish'),
    deliver: bundleOf('deliver'),
    stripe: bundleOf('stripe'),
  };
}
