import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, killRemaining, start } from '../support/start.ts';
import { AWS_ENVIRONMENT, type AwsResponse, callJson, callQuery, callRest, elements, succeeded } from './aws.ts';
import { admin, bootstrap, type Deployment, deploy, destroy, diff, resourcesOf } from './cdk.ts';
import { check, equal, need, part, report, seconds, until } from './checks.ts';
import { compareAll, compareOptional } from './compare.ts';
import { checkEdge } from './edge.ts';
import { checkDoctor, checkEmails, exerciseMail, FROM, ownOfPeople, peopleRecords, prepareEmails } from './emails.ts';
import { startEmulator, useOwnHosts } from './emulator.ts';
import { checkEvents, startReceiver } from './events.ts';
import { type Delivered, exerciseDeliver, exerciseRoutes, exerciseStream, exerciseStripe } from './exercises.ts';
import { isForbidden } from './forbidden.ts';
import { outboxOf, sesInbox } from './inbox.ts';
import { type Exercise, needsEachPermission } from './privileges.ts';
import { clickId } from './requests.ts';
import { type DeployedFunction, functionsOf } from './roles.ts';
import { checkSettings, settingsOf } from './settings.ts';
import { createWorld, mustSend, send, type World } from './world.ts';

// The run itself, in the namespace that main.ts creates.

const ROOT = join(import.meta.dirname, '../..');
const DATA_DIR = join(tmpdir(), 'local');
const EVENTS = { events: 'on', emails: 'on', emailFrom: FROM };
const onTable = ({ tableName }: Deployment) => ({ ...AWS_ENVIRONMENT, TABLE_NAME: tableName });
/** A customer whose referral must survive each update. */
const KEPT = 'bob-a@shop.example';
const isThere = async (world: World) => {
  await mustSend(world, 'lookUpReferral', { token: world.token, body: { email: KEPT } });
};

/** The stage dev: all routes, then with events, its permissions, and an update of the code. */
async function checkDev(dev: Deployment, prod: Deployment): Promise<void> {
  const { NODE_EXTRA_CA_CERTS = '' } = process.env;
  const local = await start({ DATA_DIR, DEMO: 'off', NODE_EXTRA_CA_CERTS });
  await check('doctor passes', () => admin(onTable(dev), 'doctor', '--base-url', dev.baseUrl));
  const world = await need('npm run admin creates a program', () => createWorld(onTable(dev), dev.baseUrl, sesInbox));
  const outbox = outboxOf(local.url);
  const localWorld = await createWorld({ DATA_DIR }, local.url, outbox);
  await compareAll(localWorld, world);
  await check('the stream is counted: statistics rebuild finds no difference', async () => {
    const rebuild = ['statistics', 'rebuild', '--program', world.program, '--dry-run'];
    const isCounted = async () => JSON.stringify(await admin(onTable(dev), ...rebuild)) === '[]';
    await until('counted changes', async () => (await isCounted()) || undefined);
  });
  await need('npm run deploy -- -c events=on -c emails=on keeps address and data', async () => {
    equal(await deploy(EVENTS), dev, 'deployment');
    await isThere(world);
  });
  await check('cdk diff -c events=on -c emails=on is empty', () => diff(EVENTS));
  const receiver = await startReceiver();
  await prepareEmails(localWorld, world);
  await Promise.all([compareOptional(localWorld, world), checkDoctor(onTable(dev), dev.baseUrl)]);
  await checkEmails(outbox, sesInbox);
  await end(local, 'SIGTERM');
  const delivered = await need('events', () => checkEvents(dev, world, receiver));
  const functions = await functionsOf(dev);
  await Promise.all(functions.map((lambda) => needsEachPermission(lambda, exerciseOf(lambda, delivered))));
  for (const lambda of functions) await isForbidden(lambda, dev, prod);
  receiver.stop();
  await check('npm run deploy with changed code keeps address and data', async () => {
    equal(await deploy(EVENTS, changedCopy()), dev, 'deployment');
    await isThere(world);
    const { headers } = await send(world, 'trackConversionV1', { token: world.token, body: {} });
    equal(headers['deprecation'], '@1767225601', 'header of the new code');
  });
}

/** The exercise of a function of the stage dev. */
function exerciseOf(lambda: DeployedFunction, delivered: Delivered): Exercise {
  const { name } = lambda;
  if (name === 'statistics') return exerciseStream(lambda, delivered);
  if (name === 'publish') return exerciseStream(lambda, delivered, (run) => peopleRecords(delivered, run));
  if (name === 'deliver') return exerciseDeliver(lambda, delivered);
  if (name === 'mail') return exerciseMail(lambda, delivered);
  return exerciseRoutes(name, delivered.world, (run) => {
    if (name === 'people') return ownOfPeople(delivered, run);
    return name === 'advocates' ? { slug: `jane-${run}`, other: `joe-${run}` } : {};
  });
}

/** Copies what is deployed, with another date of deprecation. */
function changedCopy(): string {
  const copy = join(tmpdir(), 'changed');
  for (const name of ['bin', 'functions', 'lib', 'web', 'llms.txt', 'package.json', 'package-lock.json', 'cdk.json'])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const routes = join(copy, 'functions/tracking/http/routes.ts');
  writeFileSync(routes, readFileSync(routes, 'utf8').replace('since: 1_767_225_600', 'since: 1_767_225_601'));
  return copy;
}

/** The stage prod: an update of all settings that need no domain, and Stripe's events on a bus. */
async function checkProd(prod: Deployment, dev: Deployment): Promise<void> {
  const world = await need('npm run admin creates a program in prod', () => createWorld(onTable(prod), prod.baseUrl));
  const { token, slug } = world;
  await mustSend(world, 'createAdvocate', { token, body: { email: 'jane@example.com', slug } });
  await mustSend(world, 'trackConversionV2', { token, body: { email: KEPT, gr_id: `${slug}.${clickId()}` } });
  const settings = settingsOf(world);
  await need('npm run deploy -- -c stage=prod with other settings keeps address and data', async () => {
    equal(await deploy(settings), prod, 'deployment');
    await isThere(world);
  });
  await checkSettings(prod, world);
  const lambda = (await functionsOf(prod)).find(({ name }) => name === 'stripe');
  if (!lambda) throw new Error('The stack has no function stripe');
  await needsEachPermission(lambda, exerciseStripe(lambda, world));
  await isForbidden(lambda, prod, dev);
  await check('cdk diff -c stage=prod is empty', () => diff(settings));
}

useOwnHosts();
const emulator = await startEmulator();
// The emulator ends its functions when it is stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void emulator.stop().then(() => process.exit(1)));
await part('the run', async () => {
  await need('cdk bootstrap', bootstrap);
  const before = await inventory();
  const [dev, prod] = await Promise.all([
    need('npm run deploy', () => deploy({})),
    need('npm run deploy -- -c stage=prod', () => deploy({ stage: 'prod' })),
  ]);
  const sizes = () => Promise.all([dev, prod].map(async (stage) => (await resourcesOf(stage)).length));
  const [plain] = await sizes();
  await Promise.all([part('dev', () => checkDev(dev, prod)), part('prod', () => checkProd(prod, dev))]);
  const [withEvents, withStripe] = await sizes();
  await part('the edge', checkEdge);
  await destroyAll(dev, prod, before);
  console.log(
    `Resources: ${plain} plain, ${withEvents} with events and emails, ${withStripe} with Stripe's bus and tracing`,
  );
});
const memory = emulator.memory();
await killRemaining();
await emulator.stop();
// man 5 proc: the CPU time of all child processes that have ended, in hundredths of a second.
const [user, system] = readFileSync('/proc/self/stat', 'utf8')
  .replace(/^.*\) /, '')
  .split(' ')
  .slice(13);
const cpu = Math.round((Number(user) + Number(system)) / 100);
console.log(`${seconds().trim()} seconds, ${cpu} seconds of CPU; the emulator used ${memory} MB`);
process.exit(report());

/** Destroys both stages as docs/deploy.md says. Only what it names may remain of `before`. */
async function destroyAll(dev: Deployment, prod: Deployment, before: readonly string[]): Promise<void> {
  const destroyed = async (settings: Readonly<Record<string, string>>) => {
    const { status, stderr } = await destroy(settings);
    equal(status, 0, stderr.slice(-500));
  };
  const prodSettings = { stage: 'prod' };
  await Promise.all([
    check('cdk destroy deletes dev', () => destroyed(EVENTS)),
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

/** Lists everything of the account that a stack could leave behind, as `<kind> <name>`, sorted. */
async function inventory(): Promise<string[]> {
  const named = async (kind: string, call: Promise<AwsResponse>, list: string, name?: string) => {
    const { json } = await succeeded(call);
    // A missing list is an empty one.
    const found: readonly (string & Record<string, string>)[] = json[list] ?? [];
    return found.map((one) => `${kind} ${name === undefined ? one : one[name]}`);
  };
  const inXml = async (kind: string, call: Promise<AwsResponse>, element: string) =>
    elements(await call, element).map((name) => `${kind} ${name}`);
  const found = await Promise.all([
    named('table', callJson('dynamodb', 'ListTables', {}), 'TableNames'),
    named('queue', callJson('sqs', 'ListQueues', {}), 'QueueUrls'),
    named('bus', callJson('events', 'ListEventBuses', {}), 'EventBuses', 'Name'),
    named('parameter', callJson('ssm', 'DescribeParameters', { MaxResults: 50 }), 'Parameters', 'Name'),
    named('log group', callJson('logs', 'DescribeLogGroups', {}), 'logGroups', 'logGroupName'),
    named('function', callRest('lambda', 'GET /2015-03-31/functions'), 'Functions', 'FunctionName'),
    named('event source', callRest('lambda', 'GET /2015-03-31/event-source-mappings'), 'EventSourceMappings', 'UUID'),
    named('api', callRest('apigateway', 'GET /v2/apis'), 'items', 'name'),
    inXml('alarm', callQuery('monitoring', 'DescribeAlarms'), 'AlarmName'),
    inXml('dashboard', callQuery('monitoring', 'ListDashboards'), 'DashboardName'),
    inXml('role', callQuery('iam', 'ListRoles'), 'RoleName'),
  ]);
  return found.flat().toSorted();
}
