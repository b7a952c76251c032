import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findEngine } from '../../../bin/local/engine.ts';
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

test.each([
  ['fails', 'echo "npm error offline" >&2; exit 1'],
  ['installs nothing', 'exit 0'],
])('if npm %s, npm start lists the ways to get an engine', async (_, script) => {
  await npmThat(script);
  const { status, stderr } = await failToStart(on(TARGET));
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^No DynamoDB engine is installed for linux-arm64\. .*\n {2}npm install --no-save @dynoxide\/linux-arm64@1\.2\.1\n( {2}\S.*\n)+$/,
  );
  expect(await calls()).not.toBe('');
});

test('on a platform without a package, npm start installs nothing', async () => {
  await npmThat(CREATES());
  const { status, stderr } = await failToStart(on('linux-unknown'));
  expect([status, await calls()]).toEqual([1, '']);
  expect(stderr).toMatch(/^No DynamoDB engine is installed for linux-unknown\. .*\n( {2}\S.*\n)+$/);
});

test('npm start installs nothing if dynoxide is on the PATH', async () => {
  await npmThat(CREATES());
  await symlink(ENGINE, join(folder, 'bin/dynoxide'));
  const started = await start(on(TARGET));
  await end(started, 'SIGTERM');
  expect(await calls()).toBe('');
});

test('npm start installs nothing for DYNAMODB_ENDPOINT', async () => {
  await npmThat(CREATES());
  const { stderr } = await failToStart(on(TARGET, { DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' }));
  expect(stderr).toMatch(/^No DynamoDB responds at http:\/\/127\.0\.0\.1:9\./);
  expect(await calls()).toBe('');
});
