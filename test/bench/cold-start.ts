import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { startEngine } from '../../bin/local/engine.ts';
import type { FunctionName } from '../../functions/routes.ts';
import { createMissingTable } from '../../functions/table/operator/create-table.ts';
import {
  bundleFunctions,
  type FreshStart,
  type ResponseEvents,
  responseEvents,
  startFresh,
} from '../support/bundles.ts';
import { openWithin } from '../support/table.ts';
import { startTlsProxy } from '../support/tls-proxy.ts';

const PROCESSES = 20;
const ROOT = join(import.meta.dirname, '../..');
const NAMES: readonly FunctionName[] = ['tracking', 'advocates', 'referrals'];

/** How a function was bundled: as the stack deploys it, or in one of two naive ways. */
export type Build = 'deployed' | 'naive' | 'naive, ajv at run time';

/** Medians over fresh processes, in milliseconds. Every request is authenticated and reads the table over TLS. */
export interface ColdStart {
  readonly name: FunctionName;
  readonly build: Build;
  /** Bytes of the bundle. */
  readonly size: number;
  /** The import, including the warm-up of the deployed build. */
  readonly init: number;
  /** The first request, after the import. */
  readonly request: number;
  /** The sum of both. */
  readonly sum: number;
}

/** Starts the builds of each function in fresh processes, in turns: if the machine is busy, all builds are slower. */
export async function coldStarts(): Promise<ColdStart[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-bundles-'));
  const engine = await startEngine();
  try {
    const table = openWithin(undefined, 'cold-start', engine.endpoint);
    await createMissingTable(table);
    const events = await responseEvents(table);
    const proxy = await startTlsProxy(engine.endpoint);
    const environment = {
      TABLE_NAME: table.name,
      STAGE: 'bench',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'ASIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'token',
      AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
      NODE_EXTRA_CA_CERTS: proxy.certificateFile,
    };
    const deployed = bundleFunctions(join(folder, 'deployed'));
    const results: ColdStart[] = [];
    for (const name of NAMES) {
      const file = join(deployed[name].folder, 'index.js');
      const builds: BuiltFunction[] = [
        { build: 'deployed', file, entry: join(dirname(file), 'entry.mjs') },
        await naiveBuild(name, 'naive', folder, []),
        await naiveBuild(name, 'naive, ajv at run time', folder, [compileAtRunTime]),
      ];
      results.push(...(await measure(name, builds, events, environment)));
    }
    await proxy.stop();
    return results;
  } finally {
    await engine.stop();
    rmSync(folder, { recursive: true });
  }
}

interface BuiltFunction {
  readonly build: Build;
  readonly file: string;
  /** The file that Lambda loads. */
  readonly entry: string;
}

async function measure(
  name: FunctionName,
  builds: readonly BuiltFunction[],
  events: ResponseEvents,
  environment: Readonly<Record<string, string>>,
): Promise<ColdStart[]> {
  const starts = new Map<Build, FreshStart[]>(builds.map(({ build }) => [build, []]));
  for (let round = 0; round < PROCESSES; round += 1) {
    for (const { build, entry } of builds) {
      const started = await startFresh(entry, events[name](), environment);
      const status = started.response?.statusCode ?? 0;
      if (status !== 200 && status !== 201) throw new Error(`${name}, ${build}: ${started.response?.body}`);
      starts.get(build)?.push(started);
    }
  }
  return builds.map(({ build, file }) => {
    const runs = starts.get(build) ?? [];
    return {
      name,
      build,
      size: statSync(file).size,
      init: median(runs.map(({ init }) => init)),
      request: median(runs.map(({ request }) => request)),
      sum: median(runs.map(({ init, request }) => init + request)),
    };
  });
}

/**
 * The same handler, bundled naively: esbuild's defaults for Node (CommonJS, the SDK's CommonJS files, not minified), the
 * SDK's default credential chain and no warm-up.
 */
async function naiveBuild(name: FunctionName, as: Build, folder: string, plugins: Plugin[]): Promise<BuiltFunction> {
  const outfile = join(folder, as, `${name}.cjs`);
  const contents = `
    import { ${name}Handler } from './functions/${name}/handler.ts';
    import { readTableEnvironment } from './functions/table/environment.ts';
    import { openConnection } from './functions/table/dynamodb/connection.ts';
    export const handler = ${name}Handler(openConnection(readTableEnvironment()));
  `;
  const stdin = { contents, resolveDir: ROOT, loader: 'ts' as const };
  await build({ stdin, bundle: true, platform: 'node', target: 'node24', outfile, plugins });
  return { build: as, file: outfile, entry: outfile };
}

/** Replaces the validators that ajv compiled at build time with the compiler and the schemas. */
const compileAtRunTime: Plugin = {
  name: 'compile-at-run-time',
  setup({ onResolve, onLoad }) {
    const namespace = 'schemas';
    onResolve({ filter: /\/validators\.js$/ }, ({ resolveDir }) => ({ path: resolveDir, namespace }));
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      resolveDir: path,
      loader: 'ts',
      contents: `
        import { Ajv2020 } from 'ajv/dist/2020.js';
        import { VALIDATED } from './schema.ts';
        const ajv = new Ajv2020({ validateFormats: false, allowUnionTypes: true, strictRequired: false, verbose: true });
        for (const [name, schema] of Object.entries(VALIDATED)) exports[name] = ajv.compile(schema);
      `,
    }));
  },
};

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
