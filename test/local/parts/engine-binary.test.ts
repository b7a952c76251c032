import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findEngine, type Machine } from '../../../bin/local/engine.ts';

let folder: string;
let withEngine: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-'));
  withEngine = join(folder, 'bin');
  mkdirSync(withEngine);
  writeFileSync(join(withEngine, 'dynoxide'), '');
  chmodSync(join(withEngine, 'dynoxide'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

const NOT_INSTALLED = () => {
  throw new Error('Cannot find module');
};
/** A machine without an engine. */
const machine = (fields: Partial<Machine>): Machine => ({
  platform: 'linux',
  arch: 'x64',
  searchPath: '',
  resolve: NOT_INSTALLED,
  ...fields,
});

test.each<[NodeJS.Platform, string, string]>([
  ['darwin', 'arm64', '@dynoxide/darwin-arm64/dynoxide'],
  ['darwin', 'x64', '@dynoxide/darwin-x64/dynoxide'],
  ['linux', 'arm64', '@dynoxide/linux-arm64/dynoxide'],
  ['linux', 'x64', '@dynoxide/linux-x64/dynoxide'],
  ['win32', 'x64', '@dynoxide/win32-x64/dynoxide.exe'],
])('the engine of the installed package is preferred on %s %s', (platform, arch, file) => {
  const resolve = (name: string) => join('/project/node_modules', name);
  expect(findEngine(machine({ platform, arch, searchPath: withEngine, resolve }))).toBe(resolve(file));
});

describe('systems without the package', () => {
  test.each<[NodeJS.Platform, string]>([
    ['darwin', 'arm64'],
    ['linux', 'riscv64'],
  ])('the engine on the PATH is used without the package on %s %s', (platform, arch) => {
    const searchPath = ['', join(folder, 'missing'), withEngine].join(delimiter);
    expect(findEngine(machine({ platform, arch, searchPath }))).toBe(join(withEngine, 'dynoxide'));
  });

  test('the engine on the PATH is not used if it is a folder or not executable', () => {
    const [asFolder, asText] = [join(folder, 'folder'), join(folder, 'text')];
    mkdirSync(join(asFolder, 'dynoxide'), { recursive: true });
    mkdirSync(asText);
    writeFileSync(join(asText, 'dynoxide'), '', { mode: 0o644 });
    const searchPath = [asFolder, asText, withEngine].join(delimiter);
    expect(findEngine(machine({ searchPath }))).toBe(join(withEngine, 'dynoxide'));
  });
});

describe('systems without any engine', () => {
  const INSTALL = (target: string) => `  npm install --no-save @dynoxide/${target}@1.2.1`;
  const BREW = '  brew install nubo-db/tap/dynoxide   (installs dynoxide on the PATH)';
  const DOWNLOAD =
    '  download dynoxide.exe from https://github.com/nubo-db/dynoxide/releases into a folder on the PATH';
  const DYNAMODB_LOCAL =
    '  docker run --rm -p 127.0.0.1:6667:8000 amazon/dynamodb-local   (then set DYNAMODB_ENDPOINT=http://localhost:6667)';

  test.each<[NodeJS.Platform, string, string[]]>([
    ['darwin', 'arm64', [INSTALL('darwin-arm64'), BREW, DYNAMODB_LOCAL]],
    ['darwin', 'x64', [INSTALL('darwin-x64'), BREW, DYNAMODB_LOCAL]],
    ['linux', 'arm64', [INSTALL('linux-arm64'), BREW, DYNAMODB_LOCAL]],
    ['linux', 'x64', [INSTALL('linux-x64'), BREW, DYNAMODB_LOCAL]],
    ['win32', 'x64', [INSTALL('win32-x64'), DOWNLOAD, DYNAMODB_LOCAL]],
    ['linux', 'riscv64', [BREW, DYNAMODB_LOCAL]],
  ])('the error has the exact commands to get an engine on %s %s', (platform, arch, commands) => {
    const first = `No DynamoDB engine is installed for ${platform}-${arch}. Get one in one of these ways, then try again:`;
    expect(() => findEngine(machine({ platform, arch }))).toThrow(new Error([first, ...commands].join('\n')));
  });
});
