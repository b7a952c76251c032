import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FakeBrowser } from '../support/browser/fake-browser.ts';

const ROOT = join(import.meta.dirname, '../..');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'build-script-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command in a process of its own: esbuild does not work in the realm that jest creates for a test. */
function buildScript(...args: string[]) {
  const command = ['bin/build-script.ts', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test.each([
  ['https://api.example.com/', 'https://api.example.com/v2/tracking/click'],
  ['http://localhost:3000/referrals', 'http://localhost:3000/referrals/v2/tracking/click'],
])('a script for %s sends clicks to %s, wherever it is served', async (baseUrl, address) => {
  const out = join(folder, 'js', 'tracking.js');
  const { status, stdout } = buildScript('--base-url', baseUrl, '--out', out);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Wrote \S+tracking\.js, \d+ bytes when compressed\./);
  expect(stdout).toContain('<script async src="/tracking.js" data-pk="pk_…"></script>');
  const browser = new FakeBrowser();
  await browser.visit('https://shop.test/?via=jane', { script: readFileSync(out, 'utf8') });
  expect(browser.sent.map(({ url }) => url)).toEqual([address]);
});

test('without a base URL, the script sends clicks to the folder that it is loaded from, and the output says so', async () => {
  const out = join(folder, 'gr.js');
  const { status, stdout } = buildScript('--out', out);
  expect([status, stdout]).toEqual([0, expect.stringContaining('Without --base-url')]);
  const browser = new FakeBrowser();
  await browser.visit('https://shop.test/?via=jane', { script: readFileSync(out, 'utf8') });
  expect(browser.sent.map(({ url }) => url)).toEqual(['https://api.service.test/referrals/v2/tracking/click']);
});

test('with an address of API Gateway, the script has at most 2,300 bytes', () => {
  const out = join(folder, 'long.js');
  const address = 'https://abcd1234ef.execute-api.ap-southeast-1.amazonaws.com';
  expect(buildScript('--base-url', address, '--out', out)).toMatchObject({ status: 0, stderr: '' });
  expect(gzipSync(readFileSync(out), { level: 9 }).length).toBeLessThanOrEqual(2300);
});

test('if the base URL makes the script larger than 2,300 bytes, the file is written with a warning', () => {
  const out = join(folder, 'longer.js');
  const labels = Array.from({ length: 40 }, (_, index) => (index ** 5).toString(36));
  const { status, stdout, stderr } = buildScript('--base-url', `https://example.com/${labels.join('/')}`, '--out', out);
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^Wrote /)]);
  expect(stderr).toBe('The script has more than 2300 bytes when compressed. A shorter --base-url makes it smaller.\n');
});

test.each([
  [['--base-url'], "error: option '--base-url <url>' argument missing"],
  ...['api.example.com', 'ftp://api.example.com', 'https://a:b@example.com', 'https://example.com/?a=b'].map(
    (address): [string[], string] => [
      ['--base-url', address],
      'error: --base-url must be an http or https URL, for example https://api.example.com.',
    ],
  ),
  [['--base-url', 'https://api.example.com', '--minify'], "error: unknown option '--minify'"],
])('invalid arguments are reported with a hint to --help: %j', (args, sentence) => {
  expect(buildScript(...args)).toEqual({
    status: 2,
    stdout: '',
    stderr: `${sentence}\nRun with --help to see the options.\n`,
  });
});

test('a file that cannot be written is reported', () => {
  const out = join(import.meta.filename, 'gr.js');
  expect(buildScript('--base-url', 'https://api.example.com', '--out', out)).toEqual({
    status: 1,
    stdout: '',
    stderr: 'The file named by --out cannot be written. Choose another one.\n',
  });
});
