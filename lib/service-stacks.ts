import type { App, Environment } from 'aws-cdk-lib/core';
import { EdgeLogsStack } from './operations/edge-logs.ts';
import { EDGE_REGION, EdgeStack } from './operations/edge-stack.ts';
import { ReferralTrackingStack } from './referral-tracking-stack.ts';
import { InvalidSetting } from './setting-readers.ts';
import type { Settings } from './settings.ts';

/**
 * Creates the stack of a stage, and with `edge=on` the stacks in us-east-1. Their names end in ways in which no stage
 * does. Throws `InvalidSetting` if the region is missing.
 */
export function createStacks(app: App, settings: Settings, { account, region }: Environment): ReferralTrackingStack {
  const { stage, edge } = settings;
  const stackName = `referral-tracking-${stage.name}`;
  const id = 'ReferralTracking';
  // Without credentials, cdk does not set the account. The template then works for any account and region.
  if (!edge) {
    return new ReferralTrackingStack(app, id, settings, {
      props: { stackName, ...(account && region && { env: { account, region } }) },
    });
  }
  // The stacks refer to each other across regions.
  if (!region) throw new InvalidSetting('edge', 'requires a region: set AWS_REGION, or choose a profile');
  const inRegion = (name: string) => ({ env: { region: name, ...(account && { account }) } });
  const front = new EdgeStack(app, 'Edge', {
    ...{ stage, edge, stackName: `${stackName}--edge` },
    ...inRegion(EDGE_REGION),
  });
  const main = new ReferralTrackingStack(app, id, settings, { props: { stackName, ...inRegion(region) }, front });
  const logs = new EdgeLogsStack(app, 'EdgeLogs', {
    ...{ stage, main, stackName: `${stackName}--edge-logs` },
    ...inRegion(EDGE_REGION),
  });
  main.addStackDependency(front);
  logs.addStackDependency(main);
  return main;
}
