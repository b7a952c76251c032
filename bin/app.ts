import { App, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ReferralTrackingStack } from '../lib/referral-tracking-stack.ts';
import { InvalidSetting, readSettings } from '../lib/settings.ts';

// The CDK app, run by `cdk`. Its settings are passed as `--context name=value` (see `lib/settings.ts`).

try {
  const app = new App();
  const settings = readSettings(app.node.getAllContext());
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
  new ReferralTrackingStack(app, 'ReferralTracking', settings, {
    stackName: `referral-tracking-${settings.stage.name}`,
    // Without credentials, cdk does not set the account. The template then works for any account and region.
    ...(account && region && { env: { account, region } }),
  });
  // Synth fails on every finding that is not acknowledged.
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
} catch (error) {
  if (!(error instanceof InvalidSetting)) throw error;
  console.error(error.message);
  process.exit(1);
}
