import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { startEngine } from '../../bin/local/engine.ts';
import { FUNCTION_BUNDLE } from '../../bin/service/function-bundle.ts';
import type { FunctionName } from '../../functions/kernel/http/route.ts';
import { createMissingTable } from '../../functions/operator/create-table.ts';
import { bundleFunctions, ENTRY_POINTS, responseEvents, startFresh } from '../support/bundles.ts';
import { openWithin } from '../support/table.ts';
import { startTlsProxy } from '../support/tls-proxy.ts';
import { PEER_EVENTS, PEER_TABLE, peerFolder, preparePeer, TOOLBOX_FILE } from './peers.ts';
import { median, type Row, SERVICE, TOOLBOX, UNCOMPILED } from './report.ts';

const ROOT = join(import.meta.dirname, '../..');
/** What the first call of each function does. */
const OPERATIONS = {
  tracking: 'conversion',
  referrals: 'list of referrals',
} as const;

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
 * Starts all builds in fresh processes, in turns: if the machine is busy, all builds are slower. Requests are
 * authenticated, and the table is behind TLS. The peer is bundled with the options of the service.
 */
export async function measureColdStarts(processes: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-bundles-'));
  const peers = peerFolder();
  const engine = await startEngine();
  try {
    const table = openWithin(undefined, 'cold-start', engine.endpoint);
    await createMissingTable(table);
    const events = await responseEvents(table);
    await preparePeer(table, peers, engine.endpoint);
    const deployed = bundleFunctions(join(folder, 'deployed'));
    const builds: BuiltFunction[] = [];
    for (const name of ['tracking', 'referrals'] as const) {
      const file = join(deployed[name].folder, 'index.js');
      const common = { operation: OPERATIONS[name], event: events[name], table: table.name };
      const uncompiled = await naiveBuild(name, folder);
      builds.push(
        { ...common, build: SERVICE, file, entry: join(dirname(file), 'entry.mjs') },
        { ...common, build: UNCOMPILED, file: uncompiled, entry: uncompiled },
      );
    }
    const file = join(folder, 'peer.cjs');
    const contents = `
      import { createPeer } from './${TOOLBOX_FILE}';
      export const { handler } = createPeer(process.env.TABLE_NAME);
    `;
    const stdin = { contents, resolveDir: peers, loader: 'js' as const };
    await build({ ...NAIVE, ...FUNCTION_BUNDLE, stdin, outfile: file });
    const peer = { build: TOOLBOX, file, entry: file, table: PEER_TABLE };
    builds.push(
      { ...peer, operation: OPERATIONS.tracking, event: PEER_EVENTS.conversion },
      { ...peer, operation: OPERATIONS.referrals, event: PEER_EVENTS.list },
    );
    const proxy = await startTlsProxy(engine.endpoint);
    const rows = await measure(builds, processes, {
      STAGE: 'bench',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'ASIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'token',
      AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
      NODE_EXTRA_CA_CERTS: proxy.certificateFile,
    });
    await proxy.stop();
    return rows;
  } finally {
    await engine.stop();
    rmSync(folder, { recursive: true });
  }
}

async function measure(
  builds: readonly BuiltFunction[],
  processes: number,
  environment: Readonly<Record<string, string>>,
): Promise<Row[]> {
  const starts = builds.map((): number[] => []);
  for (let round = 0; round < processes; round += 1) {
    for (const [index, { build, entry, event, table }] of builds.entries()) {
      const { response, stderr, cpu } = await startFresh(entry, event(), { ...environment, TABLE_NAME: table });
      if (!response || (response.statusCode ?? 200) >= 300 || stderr !== '') {
        throw new Error(`${build}: ${response?.body} ${stderr}`);
      }
      starts[index]?.push(cpu);
    }
  }
  const rows = builds.map(({ operation, build, file }, index) => {
    return {
      operation,
      with: build,
      'bundle, KB': Math.round(statSync(file).size / 1000),
      'CPU, ms': Math.round(median(starts[index] ?? [])),
    };
  });
  return rows.toSorted((one, other) => one.operation.localeCompare(other.operation));
}

/** The defaults of esbuild for Node: CommonJS, the SDK's CommonJS files, not minified. */
const NAIVE: BuildOptions = { bundle: true, platform: 'node', target: 'node24' };
/** A function of the service, bundled naively, with the SDK's default credential chain and no warm-up. */
async function naiveBuild(name: FunctionName, folder: string): Promise<string> {
  const outfile = join(folder, `${name}.cjs`);
  const entryPoints = [join(ROOT, ENTRY_POINTS[name])];
  await build({ ...NAIVE, entryPoints, outfile, plugins: [withoutWarmUp, compileAtRunTime] });
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
