import { App, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { createStacks } from '../lib/service-stacks.ts';
import { InvalidSetting } from '../lib/setting-readers.ts';
import { readSettings } from '../lib/settings.ts';

// The CDK app, run by `cdk`. Its settings are passed as `--context name=value` (see `lib/settings.ts`).

try {
  const app = new App();
  const settings = readSettings(app.node.getAllContext());
  const { CDK_DEFAULT_ACCOUNT: account = '', CDK_DEFAULT_REGION: region = '' } = process.env;
  createStacks(app, settings, { account, region });
  // Synth fails on every finding that is not acknowledged.
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
} catch (error) {
  if (!(error instanceof InvalidSetting)) throw error;
  console.error(error.message);
  process.exit(1);
}
