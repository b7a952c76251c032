import { App, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ReferralTrackingStack } from '../lib/referral-tracking-stack.ts';
import { InvalidSetting, readSettings, type Settings } from '../lib/settings.ts';

// The CDK app, called by `cdk`: settings come as `--context name=value` (see `lib/settings.ts`).

const app = new App();
const settings = settingsOrExit();
const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
new ReferralTrackingStack(app, 'ReferralTracking', settings, {
  stackName: `referral-tracking-${settings.stage.name}`,
  // Without credentials the CLI knows no account: the template then fits any.
  ...(account && region && { env: { account, region } }),
});
// Synth fails on every finding that nobody has answered.
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));

function settingsOrExit(): Settings {
  try {
    return readSettings((name) => app.node.tryGetContext(name));
  } catch (error) {
    if (!(error instanceof InvalidSetting)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
