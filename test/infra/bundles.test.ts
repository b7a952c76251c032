import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { type OperationId, ROUTES, type Route, routeKey } from '../../functions/routes.ts';
import { ReferralTrackingStack } from '../../lib/referral-tracking-stack.ts';
import { readSettings } from '../../lib/settings.ts';
import { Synthesized } from './synthesized.ts';

/** Bytes. A dependency that comes in whole, such as a schema compiler or the SDK in CommonJS, goes beyond. */
const LARGEST_BUNDLE = 460_000;

// Outside of the project, so that a bundle which lacks a package cannot find it in node_modules.
const outdir = mkdtempSync(path.join(tmpdir(), 'cdk-bundles-'));
let stack: Synthesized;

beforeAll(() => {
  const app = new App({ outdir });
  stack = new Synthesized(
    Template.fromStack(
      new ReferralTrackingStack(
        app,
        'ReferralTracking',
        readSettings(() => undefined),
      ),
    ),
  );
});
afterAll(() => rmSync(outdir, { recursive: true }));

/** Folder of what is deployed as the function of a route. */
function bundleOf(route: Route): string {
  const [, { Properties }] = stack.one('AWS::Lambda::Function', route.function);
  const { S3Key } = Object(Properties['Code']);
  return path.join(outdir, `asset.${path.basename(S3Key, '.zip')}`);
}

/** What a fresh process says that imports a bundle and calls its handler once. */
function callOnce(bundle: string, event: unknown) {
  const program = `
    const { handler } = await import(${JSON.stringify(pathToFileURL(path.join(bundle, 'index.mjs')))});
    const context = { awsRequestId: '1', getRemainingTimeInMillis: () => 10_000 };
    console.log(JSON.stringify(await handler(${JSON.stringify(event)}, context)));
  `;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    cwd: bundle,
    env: { TABLE_NAME: 'no-such-table', AWS_REGION: 'us-east-1' },
  });
}

const eventFor = (route: Route) => ({
  version: '2.0',
  routeKey: routeKey(route),
  rawPath: route.path,
  rawQueryString: '',
  headers: { accept: '*/*' },
  requestContext: {
    requestId: 'request-1',
    routeKey: routeKey(route),
    stage: '$default',
    http: {
      method: route.method,
      path: route.path,
      protocol: 'HTTP/1.1',
      sourceIp: '192.0.2.1',
      userAgent: '',
    },
  },
  isBase64Encoded: false,
});

/** What a call without token and body is answered with; all others with 401. */
const STATUSES: Partial<Record<OperationId, number>> = {
  trackConversionV2: 400,
  trackClick: 400,
  getScript: 200,
};

describe.each(Object.entries<Route>(ROUTES))('the bundle for %s', (id, route) => {
  test('is one small ES module', () => {
    const bundle = bundleOf(route);
    expect(readdirSync(bundle)).toEqual(['index.mjs']);
    expect(statSync(path.join(bundle, 'index.mjs')).size).toBeLessThan(LARGEST_BUNDLE);
  });

  test('answers a call without a token, on its own', () => {
    const { status, stdout, stderr } = callOnce(bundleOf(route), eventFor(route));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { statusCode, body } = JSON.parse(stdout);
    expect(statusCode).toBe(STATUSES[id as OperationId] ?? 401);
    if (statusCode !== 200) expect(JSON.parse(body)).toEqual({ error: expect.any(String) });
  });
});
