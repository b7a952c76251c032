import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AWS_ENVIRONMENT, callQuery, elements } from './aws.ts';
import { addHost } from './emulator.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The outcome of a process. */
export interface Outcome {
  readonly status: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in the project, or in a copy of it. */
export async function run(
  command: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  cwd = ROOT,
): Promise<Outcome> {
  const [name = '', ...args] = command;
  const child = spawn(name, args, { cwd, env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output.stderr += chunk;
  });
  const [status] = await once(child, 'close');
  return { status, ...output };
}

/** Runs a command that must succeed. Throws an error with the end of its output. */
export async function mustRun(
  command: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  cwd = ROOT,
): Promise<Outcome> {
  const outcome = await run(command, environment, cwd);
  if (outcome.status === 0) return outcome;
  const output = `${outcome.stdout}${outcome.stderr}`.trim().slice(-1500);
  throw new Error(`${command.slice(0, 4).join(' ')} exits with ${outcome.status}:\n${output}`);
}

/** One deployment of the stack. */
export interface Deployment {
  readonly stage: string;
  readonly stackName: string;
  readonly baseUrl: string;
  readonly tableName: string;
}

const contextOf = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
/** CDK locks its output folder: simultaneous commands need folders of their own. */
const outputOf = (stage: string) => ['--output', join(tmpdir(), `cdk-${stage}`)];
/** It must not ask the network for news. */
const ENVIRONMENT = { ...AWS_ENVIRONMENT, CDK_DISABLE_CLI_TELEMETRY: 'true', CI: 'true' };

export const bootstrap = () => mustRun(['npx', 'cdk', 'bootstrap', ...outputOf('bootstrap')], ENVIRONMENT);

/** Deploys a stage with `npm run deploy`, or some of its stacks, from the project or from a copy of it. */
export async function deploy(
  settings: Readonly<Record<string, string>>,
  cwd = ROOT,
  command: readonly string[] = ['npm', 'run', '--silent', 'deploy', '--'],
): Promise<Deployment> {
  const { stage = 'dev' } = settings;
  const file = join(tmpdir(), `outputs-${stage}.json`);
  const options = ['--require-approval', 'never', '--outputs-file', file, ...outputOf(stage), ...contextOf(settings)];
  await mustRun([...command, ...options], ENVIRONMENT, cwd);
  const stackName = `referral-tracking-${stage}`;
  const { [stackName]: outputs } = JSON.parse(readFileSync(file, 'utf8'));
  addHost(outputs.BaseUrl);
  return { stage, stackName, baseUrl: outputs.BaseUrl, tableName: outputs.TableName };
}

type Settings = Readonly<Record<string, string>>;
const cdk = (verb: string, option: string, stacks: readonly string[], settings: Settings) => [
  'npx',
  'cdk',
  verb,
  ...stacks,
  option,
  ...outputOf(settings['stage'] ?? 'dev'),
  ...contextOf(settings),
];

/** Compares a deployed stage with the template. `--fail` makes differences an error. */
export const diff = (settings: Settings, stacks: readonly string[] = []) =>
  mustRun(cdk('diff', '--fail', stacks, settings), ENVIRONMENT);

export const destroy = (settings: Settings, stacks: readonly string[] = []) =>
  run(cdk('destroy', '--force', stacks, settings), ENVIRONMENT);

/** A resource of a stack. */
export interface Resource {
  readonly logicalId: string;
  readonly physicalId: string;
  readonly type: string;
}

/** Lists the resources of a stack. */
export async function resourcesOf({ stackName }: Pick<Deployment, 'stackName'>): Promise<Resource[]> {
  const response = await callQuery('cloudformation', 'DescribeStackResources', { StackName: stackName });
  const [logical, physical, types] = ['LogicalResourceId', 'PhysicalResourceId', 'ResourceType'].map((name) =>
    elements(response, name),
  );
  return (logical ?? []).map((logicalId, index) => ({
    logicalId,
    physicalId: physical?.[index] ?? '',
    type: types?.[index] ?? '',
  }));
}

/** Calls the command line on a deployment (by `TABLE_NAME`) or the local service (by `DATA_DIR`), with `--json`. */
// biome-ignore lint/suspicious/noExplicitAny: tests read output of every shape.
export async function admin(environment: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<any> {
  const { stdout } = await mustRun(['npm', 'run', '--silent', 'admin', '--', ...args, '--json'], environment);
  return JSON.parse(stdout);
}
