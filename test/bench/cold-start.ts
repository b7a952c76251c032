import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { startEngine } from '../../bin/local/engine.ts';
import { FUNCTION_BUNDLE } from '../../bin/service/function-bundle.ts';
import type { FunctionName } from '../../functions/routes.ts';
import { createMissingTable } from '../../functions/table/operator/create-table.ts';
import {
  API_NAMES,
  bundleFunctions,
  ENTRY_POINTS,
  EXTENSION_NAMES,
  type ExtensionName,
  type FreshStart,
  responseEvents,
  startFresh,
} from '../support/bundles.ts';
import { extensionEvents, startDestinations } from '../support/extensions.ts';
import { openWithin } from '../support/table.ts';
import { startTlsProxy } from '../support/tls-proxy.ts';
import { median } from './report.ts';
import { LIBRARIES, LIBRARY_NAMES, type Library, PEER_EVENTS, PEER_TABLE, preparePeers } from './table-peers.ts';

const ROOT = join(import.meta.dirname, '../..');
type Name = FunctionName | ExtensionName;
/** What the first call of each function does. */
const OPERATIONS = {
  tracking: 'conversion',
  advocates: 'list of advocates',
  referrals: 'list of referrals',
  integrations: 'list of webhooks',
  publish: 'event for a webhook',
  deliver: 'delivery that is not due',
  stripe: "unreadable event of Stripe's bus",
  statistics: 'count of a conversion',
} as const satisfies Record<Name, string>;

/**
 * Medians over fresh processes, times in milliseconds. Requests to the API are authenticated. The table is behind TLS, SQS
 * and EventBridge are not.
 */
export interface ColdStart {
  readonly operation: string;
  /** The service as the stack deploys it, in one of two naive ways, or a library in one of two ways. */
  readonly build: string;
  /** Bytes of the bundle. */
  readonly size: number;
  /** The import, including the warm-up of the deployed build. */
  readonly init: number;
  /** The first request, after the import. */
  readonly request: number;
  /** CPU time of both. */
  readonly cpu: number;
}

/** The build that is compared with all others of its operation. */
export const DEPLOYED = 'the service as deployed';

interface BuiltFunction {
  readonly operation: string;
  readonly build: string;
  /** The bundle, and the file that Lambda loads. */
  readonly file: string;
  readonly entry: string;
  readonly event: () => object;
  readonly table: string;
}

/**
 * Starts all builds in fresh processes, in turns: if the machine is busy, all builds are slower. `peers` is the folder of
 * the peers.
 */
export async function coldStarts(peers: string, processes: number): Promise<ColdStart[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-bundles-'));
  const engine = await startEngine();
  try {
    const table = openWithin(undefined, 'cold-start', engine.endpoint);
    await createMissingTable(table);
    const events = { ...(await responseEvents(table)), ...(await extensionEvents(table)) };
    await preparePeers(table, peers, engine.endpoint);
    const proxy = await startTlsProxy(engine.endpoint);
    const destinations = await startDestinations();
    const environment = {
      ...destinations.environment,
      STAGE: 'bench',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'ASIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'token',
      AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
      NODE_EXTRA_CA_CERTS: proxy.certificateFile,
    };
    const deployed = bundleFunctions(join(folder, 'deployed'));
    const builds: BuiltFunction[] = [];
    for (const name of [...API_NAMES, ...EXTENSION_NAMES]) {
      const file = join(deployed[name].folder, 'index.js');
      const common = { operation: OPERATIONS[name], event: events[name], table: table.name };
      const naive = await naiveBuild(name, 'naive', folder, []);
      builds.push(
        { ...common, build: DEPLOYED, file, entry: join(dirname(file), 'entry.mjs') },
        { ...common, build: 'the service, naive', file: naive, entry: naive },
      );
    }
    // The other functions validate nothing with a schema.
    for (const name of API_NAMES) {
      const file = await naiveBuild(name, 'uncompiled', folder, [compileAtRunTime]);
      const build = 'the service, naive, ajv at run time';
      builds.push({ operation: OPERATIONS[name], event: events[name], table: table.name, build, file, entry: file });
    }
    for (const library of LIBRARY_NAMES) builds.push(...(await libraryBuilds(library, peers, folder)));
    const results = await measure(builds, environment, processes);
    destinations.stop();
    await proxy.stop();
    return results;
  } finally {
    await engine.stop();
    rmSync(folder, { recursive: true });
  }
}

async function measure(
  builds: readonly BuiltFunction[],
  environment: Readonly<Record<string, string>>,
  processes: number,
): Promise<ColdStart[]> {
  const starts = new Map<BuiltFunction, FreshStart<unknown>[]>(builds.map((build) => [build, []]));
  for (let round = 0; round < processes; round += 1) {
    for (const build of builds) {
      const { entry, event, table } = build;
      const started = await startFresh<Partial<APIGatewayProxyStructuredResultV2>>(entry, event(), {
        ...environment,
        TABLE_NAME: table,
      });
      const { response, stderr } = started;
      if (!response || (response.statusCode ?? 200) >= 300 || stderr !== '') {
        throw new Error(`${build.build}: ${response?.body} ${stderr}`);
      }
      starts.get(build)?.push(started);
    }
  }
  return builds.map((built) => {
    const { operation, build, file } = built;
    const runs = starts.get(built) ?? [];
    return {
      operation,
      build,
      size: statSync(file).size,
      init: median(runs.map(({ init }) => init)),
      request: median(runs.map(({ request }) => request)),
      cpu: median(runs.map(({ cpu }) => cpu)),
    };
  });
}

/** A library's function, bundled naively and with the options of the stack. It has no warm-up. */
async function libraryBuilds(library: Library, peers: string, folder: string): Promise<BuiltFunction[]> {
  const contents = `
    import { createPeer } from './${LIBRARIES[library]}.mjs';
    export const { handler } = createPeer(process.env.TABLE_NAME);
  `;
  const bundle = async (as: string, options: BuildOptions) => {
    const outfile = join(folder, as, `${LIBRARIES[library]}.cjs`);
    const stdin = { contents, resolveDir: peers, loader: 'js' as const };
    await build({ ...NAIVE, stdin, outfile, ...options });
    return outfile;
  };
  const naive = { build: `${library}, naive`, file: await bundle('naive', {}) };
  const tuned = { build: `${library}, with the options of the service`, file: await bundle('tuned', FUNCTION_BUNDLE) };
  return [naive, tuned].flatMap((built) =>
    [
      { operation: OPERATIONS.tracking, event: PEER_EVENTS.conversion },
      { operation: OPERATIONS.referrals, event: PEER_EVENTS.list },
    ].map((called) => ({ ...built, ...called, entry: built.file, table: PEER_TABLE })),
  );
}

/** The defaults of esbuild for Node: CommonJS, the SDK's CommonJS files, not minified. */
const NAIVE: BuildOptions = { bundle: true, platform: 'node', target: 'node24' };
/** A function of the service, bundled naively, with the SDK's default credential chain and no warm-up. */
async function naiveBuild(name: Name, as: string, folder: string, plugins: Plugin[]): Promise<string> {
  const outfile = join(folder, as, `${name}.cjs`);
  const entryPoints = [join(ROOT, ENTRY_POINTS[name])];
  await build({ ...NAIVE, entryPoints, outfile, plugins: [withoutWarmUp, ...plugins] });
  return outfile;
}

const withoutWarmUp: Plugin = {
  name: 'without-warm-up',
  setup({ onLoad }) {
    onLoad({ filter: /\/functions\/.*lambda\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replace(/^export const ready = .*;$/m, '');
      if (contents === text) throw new Error(`${path} has no warm-up to remove.`);
      return { contents, loader: 'ts' };
    });
  },
};

/** Replaces the validators that ajv compiled at build time with the compiler and the schemas. */
const compileAtRunTime: Plugin = {
  name: 'compile-at-run-time',
  setup({ onResolve, onLoad }) {
    const namespace = 'schemas';
    onResolve({ filter: /\/validators\.js$/ }, ({ path, resolveDir }) => ({
      path: dirname(join(resolveDir, path)),
      namespace,
    }));
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      resolveDir: path,
      loader: 'ts',
      contents: `
        import { Ajv2020 } from 'ajv/dist/2020.js';
        import { VALIDATED } from './schema.ts';
        const ajv = new Ajv2020({ strict: false, validateFormats: false, verbose: true });
        for (const [name, schema] of Object.entries(VALIDATED)) exports[name] = ajv.compile(schema);
      `,
    }));
  },
};
