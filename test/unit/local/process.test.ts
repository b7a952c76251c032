import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import { isAlive, startTimeOf, statusFromPs } from '../../../bin/service/process.ts';

let child: ChildProcessByStdio<Writable, Readable, null> | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
});

/** Starts a shell that runs until the test ends, and returns the process id that it prints first. */
async function firstPidOf(script: string, shell = 'sh'): Promise<number> {
  child = spawn(shell, ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  const [line] = await once(child.stdout, 'data');
  return Number(line);
}

/** Creates a zombie: a process that has ended and that its parent never reaps. Returns its id. */
async function makeZombie(): Promise<number> {
  const pid = await firstPidOf('tail -f /dev/null & echo $!; exec cat');
  // The echo shows that `cat` has replaced the shell, which would have reaped its child.
  child?.stdin.write('echo');
  if (child) await once(child.stdout, 'data');
  process.kill(pid, 'SIGKILL');
  while (!readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return pid;
}

describe('processes that are alive', () => {
  test('a process is alive while it runs', async () => {
    const pid = await firstPidOf('echo $$; read -r _');
    expect(isAlive(pid)).toBe(true);
    expect(isAlive(pid, startTimeOf(pid))).toBe(true);
  });

  test('a process of another user is alive', () => {
    // Process 1 always exists, and does not accept signals from an ordinary user.
    expect(isAlive(1)).toBe(true);
  });

  test('a process is alive if the name of its program looks like the fields of its status', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'process-'));
    const shell = join(folder, 'a) Z 1 (b');
    await symlink('/bin/sh', shell);
    const pid = await firstPidOf('echo $$; read -r _', shell);
    expect(isAlive(pid, startTimeOf(pid))).toBe(true);
    await rm(folder, { recursive: true });
  });
});

describe('processes that are not alive', () => {
  test('no process is alive if none has its id', async () => {
    const pid = await firstPidOf('echo $$');
    if (child?.exitCode === null) await once(child, 'exit');
    expect(isAlive(pid)).toBe(false);
    expect(startTimeOf(pid)).toBeUndefined();
  });

  test('a process is not alive if it has ended and its parent never reaps it', async () => {
    const pid = await makeZombie();
    expect(() => process.kill(pid, 0)).not.toThrow();
    expect(isAlive(pid)).toBe(false);
  });

  test('a process is not alive if a later process has its id', () => {
    expect(isAlive(process.pid, 'another time')).toBe(false);
  });
});

test('ps reports state and start time if there is no /proc', async () => {
  const pid = await makeZombie();
  const parent = child?.pid ?? 0;
  expect(statusFromPs(pid)?.state).toMatch(/^Z/);
  expect(statusFromPs(parent)?.state).toMatch(/^[SR]/);
  expect(Date.parse(`${statusFromPs(parent)?.startTime} UTC`)).toBeLessThanOrEqual(Date.now());
  // 4,194,304 is the largest number of process ids that Linux allows; ids start at 1.
  expect(statusFromPs(4_194_305)).toBeUndefined();
});
