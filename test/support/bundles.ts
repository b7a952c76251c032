import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Table } from '../../functions/kernel/dynamodb/table.ts';
import type { FunctionName } from '../../functions/kernel/http/route.ts';
import { createMember } from '../../functions/people/table/members.ts';
import { ReferralTrackingStack } from '../../lib/referral-tracking-stack.ts';
import { readSettings } from '../../lib/settings.ts';
import { EXTENDED } from '../infra/synthesized.ts';
import { eventFor } from './event-fixtures.ts';
import { anAdvocate, aProgram, aReferral, aToken } from './program.ts';
import { aWebhook } from './table/webhooks.ts';

/** A function as it is deployed. */
interface Bundle {
  /** Folder with everything that Lambda gets. */
  readonly folder: string;
  /** File and export that Lambda calls, such as `entry.handler`. */
  readonly handler: string;
}

/** The functions that are not behind the API. */
export type ExtensionName = 'publish' | 'publish-emails' | 'deliver' | 'mail' | 'stripe' | 'statistics';

/** The functions behind the API. */
export const API_NAMES: readonly FunctionName[] = ['tracking', 'advocates', 'referrals', 'integrations', 'people'];
export const EXTENSION_NAMES: readonly ExtensionName[] = [
  'publish',
  'publish-emails',
  'deliver',
  'mail',
  'stripe',
  'statistics',
];

/** The entry point of each function, relative to the project. */
export const ENTRY_POINTS: Readonly<Record<FunctionName | ExtensionName, string>> = {
  tracking: 'functions/lambdas/tracking.ts',
  advocates: 'functions/lambdas/advocates.ts',
  referrals: 'functions/lambdas/referrals.ts',
  integrations: 'functions/lambdas/integrations.ts',
  people: 'functions/lambdas/people.ts',
  publish: 'functions/lambdas/publish.ts',
  'publish-emails': 'functions/lambdas/publish-emails.ts',
  deliver: 'functions/lambdas/deliver.ts',
  mail: 'functions/lambdas/mail.ts',
  stripe: 'functions/lambdas/stripe.ts',
  statistics: 'functions/lambdas/statistics.ts',
};

/**
 * Bundles all functions into `outdir` with exactly the options of a deployment: by synthesizing the stack, with emails and
 * without them.
 */
export function bundleFunctions(outdir: string): Record<FunctionName | ExtensionName, Bundle> {
  const app = new App({ outdir });
  const [all, withoutEmails] = [EXTENDED, { events: 'on' }]
    .map((context, index) => new ReferralTrackingStack(app, `ReferralTracking${index}`, readSettings(context)))
    .map((stack) => Object.values(Template.fromStack(stack).findResources('AWS::Lambda::Function')));
  const bundleOf = (name: FunctionName | ExtensionName, functions = all): Bundle => {
    const resource = functions?.find(({ Properties }) => Properties.Description.endsWith(`: ${name}`));
    const { Code, Handler } = Object(resource?.['Properties']);
    return { folder: join(outdir, `asset.${parse(Code.S3Key).name}`), handler: Handler };
  };
  return {
    tracking: bundleOf('tracking'),
    advocates: bundleOf('advocates'),
    referrals: bundleOf('referrals'),
    integrations: bundleOf('integrations'),
    people: bundleOf('people'),
    publish: bundleOf('publish', withoutEmails),
    'publish-emails': bundleOf('publish'),
    deliver: bundleOf('deliver'),
    mail: bundleOf('mail'),
    stripe: bundleOf('stripe'),
    statistics: bundleOf('statistics'),
  };
}

/** The report of a fresh process that loaded a function and called it once. */
export interface FreshStart<Response = APIGatewayProxyStructuredResultV2> {
  /** Milliseconds of CPU time of the import and the call, in all threads. */
  readonly cpu: number;
  /** `null` if the handler was not called. */
  readonly response: Response | null;
  /** The process's standard error. */
  readonly stderr: string;
}

/** Loads a function in a process of its own, as Lambda does. Calls it once if there is an event. */
export async function startFresh<Response = APIGatewayProxyStructuredResultV2>(
  file: string,
  event: object | undefined,
  environment: Readonly<Record<string, string>>,
): Promise<FreshStart<Response>> {
  const call = `await handler(${JSON.stringify(event)}, { awsRequestId: '1', getRemainingTimeInMillis: () => 10_000 })`;
  const program = `
    const used = process.cpuUsage();
    const { handler } = await import(${JSON.stringify(pathToFileURL(file))});
    const response = ${event ? call : 'null'};
    const { user, system } = process.cpuUsage(used);
    const cpu = (user + system) / 1000;
    const report = JSON.stringify({ cpu, response });
    process.stdout.write(report, () => process.exit());
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { env: environment });
  const read = async (stream: AsyncIterable<unknown>) => {
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    return text;
  };
  const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr)]);
  if (stdout === '') throw new Error(`The function does not start: ${stderr}`);
  // Metrics precede the report.
  return { ...JSON.parse(stdout.split('\n').at(-1) ?? ''), stderr };
}

/** Builds a valid event for each function, which reads the table: 201 from `tracking`, 200 from the others. */
export type ResponseEvents = Record<FunctionName, () => APIGatewayProxyEventV2>;

/** Stores a program with one advocate and 25 referrals, which fill the default page of the list. */
export async function responseEvents(table: Table): Promise<ResponseEvents> {
  const program = await aProgram(table);
  const advocate = await anAdvocate(table, program);
  const programToken = await aToken(table, program);
  const affiliateToken = await aToken(table, program, advocate);
  await aWebhook(table, program);
  await createMember(table, program.id, { email: 'sam@acme.example', name: 'Sam', scopes: ['admin'] });
  for (let count = 0; count < 25; count += 1) await aReferral(table, program, advocate);
  const body = () => ({ email: `${randomUUID()}@shop.example`, affiliate_slug: advocate.slug });
  return {
    tracking: () => eventFor({ operation: 'trackConversionV2', token: programToken, body: body() }),
    advocates: () => eventFor({ operation: 'listAdvocates', token: programToken }),
    referrals: () => eventFor({ operation: 'listReferrals', token: affiliateToken }),
    integrations: () => eventFor({ operation: 'listWebhooks', token: programToken }),
    people: () => eventFor({ operation: 'listMembers', token: programToken }),
  };
}
