import { callJson, callQuery, succeeded } from './aws.ts';
import { type Deployment, destroy } from './cdk.ts';
import { check, equal } from './checks.ts';
import { inventory } from './inventory.ts';

/** Destroys both stages as docs/deploy.md says. Only what it names may remain of `before`. */
export async function destroyAll(dev: Deployment, prod: Deployment, before: readonly string[]): Promise<void> {
  const destroyed = async (settings: Readonly<Record<string, string>>) => {
    const { status, stderr } = await destroy(settings);
    equal(status, 0, stderr.slice(-500));
  };
  const prodSettings = { stage: 'prod' };
  await Promise.all([
    check('cdk destroy deletes dev', () => destroyed({ events: 'on' })),
    check('cdk destroy deletes prod only without its protection', async () => {
      const { status, stderr } = await destroy(prodSettings);
      equal([status !== 0, /TerminationProtection is enabled/.test(stderr)], [true, true], stderr.slice(-500));
      const unprotected = { StackName: prod.stackName, EnableTerminationProtection: 'false' };
      await callQuery('cloudformation', 'UpdateTerminationProtection', unprotected);
      await destroyed(prodSettings);
    }),
  ]);
  const remaining = async () => (await inventory()).filter((one) => !before.includes(one));
  const isLog = (one: string) => one.startsWith(`log group /aws/cloudformation/${prod.stackName}/`);
  const secret = ({ tableName }: Deployment) =>
    new RegExp(`^parameter /referral-tracking/${tableName}/(?:stripe|webhooks)/`);
  await check('table, logs and secrets remain, as documented', async () => {
    const others = (await remaining()).filter(
      (one) => !isLog(one) && ![dev, prod].some((stage) => secret(stage).test(one)),
    );
    equal(others, [`table ${prod.tableName}`]);
  });
  await check('the documented commands delete table and secrets', async () => {
    const TableName = prod.tableName;
    // The emulator does not know the deletion protection of a GlobalTable, which test/infra checks.
    await succeeded(callJson('dynamodb', 'UpdateTable', { TableName, DeletionProtectionEnabled: false }));
    await succeeded(callJson('dynamodb', 'DeleteTable', { TableName }));
    for (const { tableName } of [dev, prod]) await deleteParameters(`/referral-tracking/${tableName}`);
    const rest = await remaining();
    equal(
      rest.filter((one) => !isLog(one)),
      [],
    );
    equal(rest.length, 6, 'log groups of the functions and of the API');
  });
}

/** Deletes all parameters below a path: each request lists, and deletes, at most ten. */
async function deleteParameters(Path: string): Promise<void> {
  const { json } = await succeeded(callJson('ssm', 'GetParametersByPath', { Path, Recursive: true }));
  const Names = json.Parameters.map(({ Name }: { Name: string }) => Name);
  if (Names.length === 0) return;
  await succeeded(callJson('ssm', 'DeleteParameters', { Names }));
  await deleteParameters(Path);
}
