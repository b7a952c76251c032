import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { ORIGIN_HEADER } from '../../functions/kernel/http/edge.ts';
import { callJson, callRest, ENDPOINT, elements, succeeded } from './aws.ts';
import { type Deployment, deploy, destroy, diff, resourcesOf } from './cdk.ts';
import { check, equal, need } from './checks.ts';

/** A stage of its own: the address of the others must stay what it is. */
const SETTINGS = { stage: 'dev-edge', edge: 'on' };
const ROTATED = { ...SETTINGS, edgeSecret: '2' };
/** The emulator knows no deliveries of logs, so that the stack of the access log is left out. */
const STACKS = ['Edge', 'ReferralTracking'];
const deployEdge = (settings: typeof SETTINGS) => deploy(settings, undefined, ['npx', 'cdk', 'deploy', ...STACKS]);

/** Deploys CloudFront, firewall and secret, and checks that the API is closed, before and after a rotation. */
export async function checkEdge(): Promise<void> {
  const edge = await need('cdk deploy -c edge=on', () => deployEdge(SETTINGS));
  const first = await need('Secrets Manager generates a value', () => secretOf(edge));
  await check('the distribution sends the value', async () => equal(await headerOf(edge), first));
  await check('the API refuses requests without the value, and serves others', async () => {
    equal(
      [await statusOf(edge), await statusOf(edge, 'wrong'), await statusOf(edge, first)],
      ['403 not_through_edge', '403 not_through_edge', '200 undefined'],
    );
  });
  await check('cdk diff -c edge=on is empty', () => diff(SETTINGS, STACKS));
  await need('cdk deploy with a higher edgeSecret keeps the address', async () => {
    equal(await deployEdge(ROTATED), edge, 'deployment');
  });
  await check('after a rotation, the newest and the previous value count', async () => {
    const second = await secretOf(edge);
    equal([second === first, await headerOf(edge)], [false, second]);
    equal(
      [await statusOf(edge, second), await statusOf(edge, first), await statusOf(edge)],
      ['200 undefined', '200 undefined', '403 not_through_edge'],
    );
  });
  await check('cdk destroy deletes the stacks of the edge', async () => {
    const { status, stderr } = await destroy(ROTATED, STACKS);
    equal(status, 0, stderr.slice(-500));
  });
}

async function physicalId(edge: Deployment, type: string): Promise<string> {
  const found = (await resourcesOf(edge)).find((resource) => resource.type === type);
  if (!found) throw new Error(`The stack has no ${type}.`);
  return found.physicalId;
}

/** The current value of the secret. */
async function secretOf(edge: Deployment): Promise<string> {
  const SecretId = await physicalId(edge, 'AWS::SecretsManager::Secret');
  const { json } = await succeeded(callJson('secretsmanager', 'GetSecretValue', { SecretId }));
  const [value] = Object.values(JSON.parse(json.SecretString));
  if (typeof value !== 'string') throw new Error('The secret has no value.');
  return value;
}

/** The value that the distribution sends. */
async function headerOf(edge: Deployment): Promise<string | undefined> {
  const id = await physicalId(edge, 'AWS::CloudFront::Distribution');
  const response = await succeeded(callRest('cloudfront', `GET /2020-05-31/distribution/${id}`));
  const [value] = elements(response, 'HeaderValue');
  // The emulator's values contain punctuation.
  return value?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Loads the script from the API itself. Returns its status and error. */
async function statusOf(edge: Deployment, value?: string): Promise<string> {
  const api = await physicalId(edge, 'AWS::ApiGatewayV2::Api');
  const { hostname, port } = new URL(ENDPOINT);
  const host = `${api}.execute-api.localhost:${port}`;
  const headers = { host, ...(value !== undefined && { [ORIGIN_HEADER]: value }) };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  request({ hostname, port, path: '/gr.js', headers, servername: 'localhost' }, async (response) => {
    await text(response);
    resolve(`${response.statusCode} ${response.headers['x-error-code']}`);
  })
    .on('error', reject)
    .end();
  return promise;
}
