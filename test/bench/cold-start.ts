import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { App } from 'aws-cdk-lib/core';
import { ROUTES, routeKey } from '../../functions/routes.ts';
import { ReferralTrackingStack } from '../../lib/referral-tracking-stack.ts';
import { readSettings } from '../../lib/settings.ts';

const PROCESSES = 15;

export interface ColdStart {
  /** Bytes of the bundle. */
  readonly size: number;
  /** Median of the milliseconds from the start of the import to the end of the first call, in a fresh process. */
  readonly milliseconds: number;
}

/** Bundles the functions as the stack deploys them, and starts each anew. In the order of their sizes. */
export function coldStarts(): ColdStart[] {
  const outdir = mkdtempSync(join(tmpdir(), 'bench-bundles-'));
  try {
    const app = new App({ outdir });
    new ReferralTrackingStack(
      app,
      'Bench',
      readSettings(() => undefined),
    );
    app.synth();
    return readdirSync(outdir)
      .map((name) => join(outdir, name, 'index.js'))
      .filter((file) => statSync(file, { throwIfNoEntry: false }))
      .map((file) => ({ size: statSync(file).size, milliseconds: medianStart(file) }))
      .sort((one, other) => one.size - other.size);
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** A call without a token. Only the function with several routes asks which of them it is. */
const EVENT = {
  routeKey: routeKey(ROUTES.trackConversionV1),
  headers: {},
  rawQueryString: '',
  requestContext: { requestId: '1', domainName: 'localhost' },
};

function medianStart(file: string): number {
  const program = `
    const begin = performance.now();
    const { handler } = await import(${JSON.stringify(pathToFileURL(file))});
    const event = ${JSON.stringify(EVENT)};
    await handler(event, { getRemainingTimeInMillis: () => 10_000 });
    console.log(performance.now() - begin);
  `;
  const times = Array.from({ length: PROCESSES }, () => {
    const env = { TABLE_NAME: 'none', AWS_REGION: 'local' };
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { env, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`A bundle does not start: ${stderr}`);
    return Number(stdout);
  }).sort((one, other) => one - other);
  return times[Math.floor(PROCESSES / 2)] ?? Number.NaN;
}
