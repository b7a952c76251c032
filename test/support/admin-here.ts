import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { Command } from 'commander';
import { addAdvocateCommands } from '../../bin/admin/advocate.ts';
import { endingOf } from '../../bin/admin/errors.ts';
import { addReferralCommands } from '../../bin/admin/referral.ts';
import { systemClock } from '../../functions/domain/time.ts';
import type { Table } from '../../functions/table/table.ts';
import type { Ended } from './admin.ts';

/** Runs the operator's commands for advocates and referrals in this process, on a table: faster than one of its own. */
export async function adminHere(table: Table, ...args: readonly string[]): Promise<Ended> {
  let stdout = '';
  const output = new Writable({
    write: (chunk, _, done) => {
      stdout += String(chunk);
      done();
    },
  });
  const session = {
    clock: systemClock,
    random: randomBytes,
    onTable: <Result>(work: (table: Table) => Promise<Result>) => work(table),
    write: (text: string) => void output.write(text),
    output,
  };
  const admin = new Command('admin').option('--json').exitOverride();
  admin.configureOutput({ outputError: () => undefined });
  addAdvocateCommands(admin, session);
  addReferralCommands(admin, session);
  try {
    await admin.parseAsync(args, { from: 'user' });
    return { status: 0, stdout, stderr: '' };
  } catch (error) {
    const { status, sentence = '' } = endingOf(error);
    return { status, stdout, stderr: sentence };
  }
}

/** The JSON that a command prints which must succeed. */
export async function jsonHere(table: Table, ...args: readonly string[]): Promise<unknown> {
  const { status, stdout, stderr } = await adminHere(table, ...args, '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** What an import prints as JSON. */
export interface Imported {
  readonly created: number;
  readonly skipped: number;
  readonly failed: { readonly line: number; readonly reason: string }[];
}

/** Makes files in a folder of the test file's own. */
export function useFiles(): (content: string | Uint8Array) => Promise<string> {
  let folder: string;
  let files = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'import-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  return async (content) => {
    files += 1;
    const path = join(folder, `${files}.csv`);
    await writeFile(path, content);
    return path;
  };
}

/** Imports a file that has this content, and returns what became of it: it ends with 1 exactly where a line failed. */
export async function importing(
  table: Table,
  noun: 'advocate' | 'referral',
  program: string,
  file: string,
): Promise<Imported> {
  const { status, stdout } = await adminHere(table, noun, 'import', '--program', program, '--file', file, '--json');
  const imported: Imported = JSON.parse(stdout);
  expect(status).toBe(imported.failed.length > 0 ? 1 : 0);
  return imported;
}
