import { createHash } from 'node:crypto';
import { type Credentials, callQuery, callRest, configurationOf, elements, succeeded } from './aws.ts';
import { type Deployment, resourcesOf } from './cdk.ts';

/** A deployed Lambda function. */
export interface DeployedFunction {
  /** Its id in the stack, such as `tracking`. */
  readonly name: string;
  readonly physicalName: string;
  readonly functionArn: string;
  readonly roleName: string;
  readonly roleArn: string;
  /** In seconds. */
  readonly timeout: number;
  readonly isTraced: boolean;
}

/** Lists the functions of a stack. */
export async function functionsOf(deployment: Deployment): Promise<DeployedFunction[]> {
  const lambdas = (await resourcesOf(deployment)).filter(({ type }) => type === 'AWS::Lambda::Function');
  return Promise.all(
    lambdas.map(async ({ logicalId, physicalId: physicalName }) => {
      const configuration = await configurationOf(physicalName);
      const { Role: roleArn, FunctionArn: functionArn, Timeout: timeout, TracingConfig } = configuration;
      // The logical id is the path in the stack, with CDK's hash: EventspublishFunction…
      const [, name = logicalId] =
        /^(?:Stripe|Statistics|Emails)?(?:Events)?(.+)Function[0-9A-F]{8}$/.exec(logicalId) ?? [];
      const roleName = String(roleArn).replace(/^.*\//, '');
      const isTraced = TracingConfig?.Mode === 'Active';
      return { name, physicalName, roleName, roleArn, functionArn, timeout, isTraced };
    }),
  );
}

/** A statement of a policy. */
export interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
}

/** A policy of a role. */
export interface Policy {
  readonly name: string;
  readonly statements: readonly Statement[];
}

/** Reads the only inline policy of a role. */
export async function policyOf(RoleName: string): Promise<Policy> {
  const names = elements(await callQuery('iam', 'ListRolePolicies', { RoleName }), 'member');
  const [name = ''] = names;
  if (names.length !== 1) throw new Error(`The role ${RoleName} has ${names.length} policies`);
  const policy = await callQuery('iam', 'GetRolePolicy', { RoleName, PolicyName: name });
  const [document = ''] = elements(policy, 'PolicyDocument');
  return { name, statements: JSON.parse(decodeURIComponent(document)).Statement };
}

/** Replaces the statements of a role's policy. */
export async function putPolicy(RoleName: string, { name, statements }: Policy): Promise<void> {
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: statements });
  await callQuery('iam', 'PutRolePolicy', { RoleName, PolicyName: name, PolicyDocument });
}

/** Ends the running processes of a function, as an update of its settings does: nothing is cached. */
export async function restart({ physicalName, timeout }: DeployedFunction): Promise<void> {
  const body = JSON.stringify({ Timeout: timeout });
  await succeeded(callRest('lambda', `PUT /2015-03-31/functions/${physicalName}/configuration`, body));
}

/**
 * Returns the credentials of a function's role. The emulator derives them from both ARNs (`execution_credentials` in
 * `core/lambda_runtime.py`), and knows them once the function has run.
 */
export function credentialsOf({ functionArn, roleArn }: DeployedFunction): Credentials {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const digest = hash(`${functionArn}:${roleArn}`);
  const accessKeyId = `ASIA${digest.slice(0, 16).toUpperCase()}`;
  return { accessKeyId, secretAccessKey: hash(`secret:${digest}`), sessionToken: hash(`token:${digest}`) };
}
