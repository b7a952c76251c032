import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';

export const ENDPOINT = 'https://127.0.0.1:4566';
export const REGION = 'us-east-1';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The credentials of the emulator's root user. */
const ROOT: Credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
/** The environment in which the SDK and CDK use the emulator. */
export const AWS_ENVIRONMENT = {
  AWS_ENDPOINT_URL: ENDPOINT,
  AWS_REGION: REGION,
  AWS_ACCESS_KEY_ID: ROOT.accessKeyId,
  AWS_SECRET_ACCESS_KEY: ROOT.secretAccessKey,
};

/** The targets of the services with a JSON protocol, and the versions of the services with forms and XML. */
const TARGETS = {
  dynamodb: 'DynamoDB_20120810',
  sqs: 'AmazonSQS',
  events: 'AWSEvents',
  ssm: 'AmazonSSM',
  logs: 'Logs_20140328',
  secretsmanager: 'secretsmanager',
};
const VERSIONS = { iam: '2010-05-08', cloudformation: '2010-05-15', monitoring: '2010-08-01' };
export type JsonService = keyof typeof TARGETS;

/** A response of AWS. `json` is `undefined` for XML. */
export interface AwsResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  readonly json: any;
}

/** Calls an action with JSON. Does not throw for a status. */
export function callJson(service: JsonService, action: string, input: object, as = ROOT): Promise<AwsResponse> {
  const target = `${TARGETS[service]}.${action}`;
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target };
  return callRest(service, 'POST /', JSON.stringify(input), headers, as);
}

/** Calls an action with a form, which must succeed. */
export function callQuery(service: keyof typeof VERSIONS, action: string, input: Record<string, string> = {}) {
  const body = new URLSearchParams({ Action: action, Version: VERSIONS[service], ...input }).toString();
  return succeeded(callRest(service, 'POST /', body, { 'content-type': 'application/x-www-form-urlencoded' }));
}

/** Calls a method and path. Does not throw for a status. */
export async function callRest(
  service: string,
  route: string,
  body = '',
  headers = {},
  as = ROOT,
): Promise<AwsResponse> {
  const [method = '', path = ''] = route.split(' ');
  const { protocol, hostname, host } = new URL(ENDPOINT);
  const signer = new SignatureV4({ credentials: as, region: REGION, service, sha256: Hash.bind(null, 'sha256') });
  const unsigned = { method, protocol, hostname, path, headers: { host, ...headers }, body };
  const { headers: signed } = await signer.sign(new HttpRequest(unsigned));
  const response = await fetch(`${ENDPOINT}${path}`, { method, headers: signed, ...(body && { body }) });
  const text = await response.text();
  const json: unknown = /^\s*[[{]/.test(text) ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json };
}

/** Returns a response that must have succeeded. */
export async function succeeded(call: Promise<AwsResponse>): Promise<AwsResponse> {
  const response = await call;
  if (response.status >= 300) throw new Error(`AWS responds with ${response.status}: ${response.text.slice(0, 500)}`);
  return response;
}

/** Returns the contents of all elements of a name in an XML response. */
export const elements = ({ text }: AwsResponse, name: string): string[] =>
  [...text.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, content = '']) => content);

/** Invokes a Lambda function. `failed` if it threw an error. */
export async function invoke(name: string, payload: unknown) {
  const route = `POST /2015-03-31/functions/${name}/invocations`;
  const call = callRest('lambda', route, JSON.stringify(payload), { 'x-amz-log-type': 'Tail' });
  const { headers, json } = await succeeded(call);
  const log = Buffer.from(headers.get('x-amz-log-result') ?? '', 'base64').toString();
  return { json, log, failed: headers.has('x-amz-function-error') };
}

/** Reads the settings of a Lambda function. */
export const configurationOf = async (name: string) =>
  (await succeeded(callRest('lambda', `GET /2015-03-31/functions/${name}/configuration`))).json;
