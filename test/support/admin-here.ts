import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { adminCommand } from '../../bin/admin/admin.ts';
import { toExit } from '../../bin/admin/errors.ts';
import { localAccess, type ServiceAccess } from '../../bin/admin/secrets.ts';
import { ServiceFile, type ServiceRecord } from '../../bin/service/service-file.ts';
import type { Table } from '../../functions/kernel/dynamodb/table.ts';
import type { ParameterStoreOptions } from '../../functions/kernel/secrets/parameter-store.ts';
import { type Clock, systemClock } from '../../functions/kernel/time.ts';
import type { Ended } from './admin.ts';

/** Collects what is written to a stream. */
function collector(observe: (chunk: string) => void = () => undefined) {
  let text = '';
  const stream = new Writable({
    write: (chunk, _, done) => {
      observe(String(chunk));
      text += String(chunk);
      done();
    },
  });
  return { stream, text: () => text };
}

/** What a command uses besides its table. */
export interface AdminSetting {
  readonly table: Table;
  readonly parts?: ServiceAccess;
  readonly deployment?: ParameterStoreOptions;
  /** What is written to its standard input. */
  readonly input?: readonly string[] | AsyncIterable<string>;
  /** True if its standard input is a terminal. */
  readonly isTTY?: boolean;
  readonly clock?: Clock;
  /** By default, commands do not wait. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
  /** Called with each piece that is written to its standard output. */
  readonly onOutput?: (piece: string) => void;
}

/** Runs an operator's command on a table in this process, which is faster than in a process of its own. */
export const adminHere = (table: Table, ...args: readonly string[]): Promise<Ended> => adminWith({ table }, ...args);

/** Runs a command as `adminHere` does, with secrets, queue and standard input. */
export async function adminWith(setting: AdminSetting, ...args: readonly string[]): Promise<Ended> {
  const { table, parts, input = [], isTTY = false, clock = systemClock, pause = async () => undefined } = setting;
  const [output, errors] = [collector(setting.onOutput), collector()];
  const admin = adminCommand({
    environment: {},
    clock,
    random: randomBytes,
    pause,
    onTable: (work) => work(table),
    serviceAccess: async () => {
      if (!parts) throw new Error('The test gives no secrets and no queue.');
      return parts;
    },
    deployment: async () => setting.deployment,
    input: Object.assign(Readable.from(input), { isTTY }),
    output: output.stream,
    errors: errors.stream,
  });
  let status = 0;
  try {
    await admin.parseAsync(args, { from: 'user' });
  } catch (error) {
    const exit = toExit(error);
    status = exit.status;
    if (exit.sentence !== undefined) errors.stream.write(`${exit.sentence}\n`);
  }
  return { status, stdout: output.text(), stderr: errors.text() };
}

/** Runs a command that must succeed, and returns the JSON that it prints. */
export async function jsonHere(table: Table, ...args: readonly string[]): Promise<unknown> {
  const { status, stdout, stderr } = await adminHere(table, ...args, '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** The secrets and the queue of a service, in a temporary folder. */
export interface ServiceFolder {
  path: string;
  parts: ServiceAccess;
}

/** Creates a folder for secrets and queue, which the tests of a file share. */
export function useServiceFolder(): ServiceFolder {
  const folder: ServiceFolder = { path: '', parts: localAccess('') };
  beforeAll(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'service-'));
    folder.parts = localAccess(folder.path);
  });
  afterAll(() => rm(folder.path, { recursive: true }));
  return folder;
}

/** Records a service in a `DATA_DIR`, as `npm start` does. */
export function recordService(dataDir: string, record: ServiceRecord): void {
  using file = new ServiceFile(dataDir);
  file.setService(record);
}

/** The JSON that an import prints. */
export interface Imported {
  readonly created: number;
  readonly skipped: number;
  readonly failed: { readonly line: number; readonly reason: string }[];
}

/** Returns a function that creates files in a temporary folder. */
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

/** Imports a file with more options, and returns the report. The exit status must be 1 if a line failed, else 0. */
export async function importing(
  table: Table,
  noun: 'advocate' | 'referral' | 'ledger',
  program: string,
  file: string,
  ...options: readonly string[]
): Promise<Imported> {
  const args = ['--program', program, '--file', file, '--json', ...options];
  const { status, stdout } = await adminHere(table, noun, 'import', ...args);
  const imported: Imported = JSON.parse(stdout);
  expect(status).toBe(imported.failed.length > 0 ? 1 : 0);
  return imported;
}
