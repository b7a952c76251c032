import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isHttpAddress } from './environment.ts';
import { isSystemError } from './system-error.ts';

/** The record that a running `npm start` leaves for the operator's command line and for other starts: where its table is. */
export interface Note {
  readonly endpoint: string;
  readonly tableName: string;
  /** Process that left the note. */
  readonly pid: number;
  /** When that process started, if the platform says: process ids are reused. */
  readonly startTime?: string;
  /** Where it serves, from the moment it does. */
  readonly baseUrl?: string;
}

const FILE = 'service.json';

/**
 * Notes in `dataDir` where the running service keeps its table. Returns false, and writes nothing, where another start
 * has its note there.
 */
export async function claimNote(dataDir: string, note: Note): Promise<boolean> {
  const draft = await writeDraft(dataDir, note);
  try {
    // In one step, and only where there is none: who reads at that moment finds a whole note or none.
    await link(draft, join(dataDir, FILE));
    return true;
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(draft);
  }
}

/** Adds to the note of a process where it serves. Does nothing where there is no note of its own. */
export async function noteBaseUrl(dataDir: string, pid: number, baseUrl: string): Promise<void> {
  const note = await readNote(dataDir);
  if (note?.pid !== pid) return;
  await rename(await writeDraft(dataDir, { ...note, baseUrl }), join(dataDir, FILE));
}

/**
 * The note in `dataDir`, or `undefined` where there is none that can be read. A service that was killed leaves its note
 * behind: only the endpoint's answer tells that it still runs.
 */
export async function readNote(dataDir: string): Promise<Note | undefined> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : parseNote(text);
}

/** Takes a process's note away, or any one where `pid` is not given. Does nothing where there is none. */
export async function removeNote(dataDir: string, pid?: number): Promise<void> {
  if (pid !== undefined && (await readNote(dataDir))?.pid !== pid) return;
  await rm(join(dataDir, FILE), { force: true });
}

async function writeDraft(dataDir: string, note: Note): Promise<string> {
  const { endpoint, tableName, pid, startTime, baseUrl } = note;
  const draft = join(dataDir, `${FILE}.${pid}`);
  await writeFile(draft, `${JSON.stringify({ endpoint, tableName, pid, startTime, baseUrl })}\n`);
  return draft;
}

function parseNote(text: string): Note | undefined {
  const note = parseJson(text);
  if (typeof note !== 'object' || note === null) return undefined;
  if (!('endpoint' in note && 'tableName' in note && 'pid' in note)) return undefined;
  const { endpoint, tableName, pid } = note;
  if (typeof endpoint !== 'string' || typeof tableName !== 'string' || typeof pid !== 'number') return undefined;
  if (!isHttpAddress(endpoint)) return undefined;
  const startTime = 'startTime' in note && typeof note.startTime === 'string' ? note.startTime : '';
  const baseUrl = 'baseUrl' in note && typeof note.baseUrl === 'string' ? note.baseUrl : '';
  return {
    endpoint,
    tableName,
    pid,
    ...(startTime !== '' && { startTime }),
    ...(isHttpAddress(baseUrl) && { baseUrl }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
