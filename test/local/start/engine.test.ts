import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { BLOCKED_PORTS, findEngine, freeEngineAddress, type Machine } from '../../../bin/local/engine.ts';
import project from '../../../package.json' with { type: 'json' };
import { end, failToStart, killRemaining, start } from '../../support/start.ts';

const ENGINE = findEngine();
const { PATH = '' } = process.env;
/** A platform whose package is on npm, but not installed here. Its engine is this machine's engine. */
const TARGET = 'linux-arm64';
const VERSION = project.optionalDependencies['@dynoxide/linux-x64'].replace('^', '');

let folder: string;
let modules: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'install-'));
  modules = join(folder, 'node_modules');
  await mkdir(join(folder, 'bin'));
});
afterEach(async () => {
  await killRemaining();
  await rm(folder, { recursive: true });
});

async function executable(path: string, script: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

/** Puts a stand-in for npm first on the PATH. It records its arguments, then runs a script. */
const npmThat = (script: string) => executable(join(folder, 'bin/npm'), `echo "$@" >> '${folder}/calls'\n${script}`);

/** A script that creates the package of the engine. */
const CREATES = () =>
  `mkdir -p '${modules}/@dynoxide/${TARGET}' && ln -s '${ENGINE}' '${modules}/@dynoxide/${TARGET}/dynoxide'`;

const calls = () => readFile(join(folder, 'calls'), 'utf8').catch(() => '');

/** The environment of a start on another platform. */
const on = (target: string, environment: Readonly<Record<string, string>> = {}) => {
  const properties = ['platform', 'arch'].map(
    (name, index) => `Object.defineProperty(process,'${name}',{value:'${target.split('-')[index]}'})`,
  );
  return {
    DATA_DIR: join(folder, 'data'),
    DEMO: 'off',
    PATH: [join(folder, 'bin'), PATH].join(delimiter),
    NODE_PATH: modules,
    NODE_OPTIONS: `--import=data:text/javascript,${properties.join(';')}`,
    ...environment,
  };
};

test('npm start installs a missing engine after one sentence, and only once', async () => {
  await npmThat(CREATES());
  const started = await start(on(TARGET));
  expect(started.printed).toMatch(
    new RegExp(`^No DynamoDB engine is installed for ${TARGET}, so npm installs @dynoxide/${TARGET} now.\n\nOverview:`),
  );
  expect(await calls()).toBe(`install --no-save @dynoxide/${TARGET}@${VERSION}\n`);
  await end(started, 'SIGTERM');

  const again = await start(on(TARGET));
  expect(again.printed).toMatch(/^Overview:/);
  await end(again, 'SIGTERM');
  expect((await calls()).trim().split('\n')).toHaveLength(1);
});

test('if npm fails, npm start lists the ways to get an engine', async () => {
  await npmThat('echo "npm error offline" >&2; exit 1');
  const { status, stderr } = await failToStart(on(TARGET));
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^No DynamoDB engine is installed for linux-arm64\. .*\n {2}npm install --no-save @dynoxide\/linux-arm64@1\.2\.1\n( {2}\S.*\n)+$/,
  );
  expect(await calls()).not.toBe('');
});

/** A machine without an engine. */
const machine = (fields: Partial<Machine>): Machine => ({
  platform: 'linux',
  arch: 'x64',
  searchPath: '',
  resolve: () => {
    throw new Error('Cannot find module');
  },
  ...fields,
});

test.each<[NodeJS.Platform, string, string]>([
  ['darwin', 'arm64', '@dynoxide/darwin-arm64/dynoxide'],
  ['linux', 'x64', '@dynoxide/linux-x64/dynoxide'],
  ['win32', 'x64', '@dynoxide/win32-x64/dynoxide.exe'],
])('the engine of the installed package is preferred on %s %s', async (platform, arch, file) => {
  const searchPath = join(folder, 'bin');
  await executable(join(searchPath, 'dynoxide'), '');
  const resolve = (name: string) => join('/project/node_modules', name);
  expect(findEngine(machine({ platform, arch, searchPath, resolve }))).toBe(resolve(file));
  expect(findEngine(machine({ searchPath }))).toBe(join(searchPath, 'dynoxide'));
});

const INSTALL = (target: string) => `  npm install --no-save @dynoxide/${target}@1.2.1`;
const BREW = '  brew install nubo-db/tap/dynoxide   (installs dynoxide on the PATH)';
const DOWNLOAD = '  download dynoxide.exe from https://github.com/nubo-db/dynoxide/releases into a folder on the PATH';
const DYNAMODB_LOCAL =
  '  docker run --rm -p 127.0.0.1:6667:8000 amazon/dynamodb-local   (then set DYNAMODB_ENDPOINT=http://localhost:6667)';

test.each<[NodeJS.Platform, string, string[]]>([
  ['darwin', 'arm64', [INSTALL('darwin-arm64'), BREW, DYNAMODB_LOCAL]],
  ['linux', 'x64', [INSTALL('linux-x64'), BREW, DYNAMODB_LOCAL]],
  ['win32', 'x64', [INSTALL('win32-x64'), DOWNLOAD, DYNAMODB_LOCAL]],
  ['linux', 'riscv64', [BREW, DYNAMODB_LOCAL]],
])('the error has the exact commands to get an engine on %s %s', (platform, arch, commands) => {
  const first = `No DynamoDB engine is installed for ${platform}-${arch}. Get one in one of these ways, then try again:`;
  expect(() => findEngine(machine({ platform, arch }))).toThrow(new Error([first, ...commands].join('\n')));
});

test("each port of the engine is blocked by the Fetch standard, and so by Node's own fetch", async () => {
  for (const port of BLOCKED_PORTS) {
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ cause: { message: 'bad port' } });
  }
});

test('a port that is taken is left out', async () => {
  // No other process has this host: another run of the test could take the port that is left.
  const host = `127.${process.pid >> 16}.${(process.pid >> 8) % 256}.${process.pid % 256}`;
  const left = await freeEngineAddress([host]);
  await using servers = new AsyncDisposableStack();
  for (const port of BLOCKED_PORTS.filter((each) => each !== left.port)) {
    // Another server of this machine may have it already.
    await once(servers.use(createServer()).listen(port, host), 'listening').catch(() => undefined);
  }
  expect(await freeEngineAddress([host])).toEqual(left);
});
