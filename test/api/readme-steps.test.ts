import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { codeBlocksOfStep } from '../support/readme.ts';
import { end, endLeft, start } from '../support/start.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'steps-'));
});
afterEach(endLeft);
afterAll(() => rm(folder, { recursive: true }));

const commands = ([1, 3, 4] as const).flatMap((step) => codeBlocksOfStep(step, 'sh'));

test('each step of the README that has commands has one block of them', () => {
  expect(commands).toHaveLength(3);
});

const SHELL = ['bash', 'curl'];
const hasShell = SHELL.every((command) => spawnSync(command, ['--version']).status === 0);
// As for the samples in other languages: CI requires what the commands need.
if (hasShell || process.env['SAMPLES'] === 'all') {
  test('the commands of the README work when copied one after the other', async () => {
    const started = await start({ DATA_DIR: folder });
    const port = new URL(started.url).port;
    const script = commands.join('\n').replace('http://localhost:3000', `http://localhost:${port}`);
    const { PATH = '' } = process.env;
    const { stdout } = await promisify(execFile)('bash', ['-e', '-u', '-c', script], {
      cwd: join(import.meta.dirname, '../..'),
      env: { PATH: [dirname(process.execPath), PATH].join(delimiter), DATA_DIR: folder, HOME: folder },
    });
    const lines = stdout.split(/\n|(?<=\})(?=\{)/);
    expect(lines.some((line) => /^pk_[\da-f]{32}$/.test(line))).toBe(true);
    const printed = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    expect(printed).toMatchObject([
      { slug: 'jane-doe', uid: 'partner-42' },
      { data: { attributes: { state: 'converted', uid: '4711' } } },
      { data: { attributes: { state: 'paid', uid: '4711' } } },
      { data: [{ attributes: { slug: 'jane-doe' } }], meta: { pagination: { has_more: false } } },
      {
        data: [{ attributes: { email: 'visitor@example.com', state: 'paid', sub_id: 'newsletter' } }],
        meta: { pagination: { has_more: false } },
      },
    ]);
    await end(started, 'SIGTERM');
  });
}
