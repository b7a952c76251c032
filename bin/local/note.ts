import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a running `npm start` tells the operator's command line: where its table is. */
export interface Note {
  readonly endpoint: string;
  readonly tableName: string;
}

const FILE = 'service.json';

/** Notes in `dataDir` where the running service keeps its table. Makes the folder where it is missing. */
export async function writeNote(dataDir: string, { endpoint, tableName }: Note): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, FILE);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify({ endpoint, tableName })}\n`);
  // Renamed in one step: who reads at this moment finds the old note or the new one, never half of one.
  await rename(draft, file);
}

/**
 * The note in `dataDir`, or `undefined` where there is none that can be read. A service that was killed leaves its note
 * behind: only the endpoint's answer tells that it still runs.
 */
export async function readNote(dataDir: string): Promise<Note | undefined> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : parseNote(text);
}

/** Takes the note away. Does nothing where there is none. */
export async function removeNote(dataDir: string): Promise<void> {
  await rm(join(dataDir, FILE), { force: true });
}

function parseNote(text: string): Note | undefined {
  const note = parseJson(text);
  if (typeof note !== 'object' || note === null || !('endpoint' in note) || !('tableName' in note)) {
    return undefined;
  }
  const { endpoint, tableName } = note;
  if (typeof endpoint !== 'string' || typeof tableName !== 'string' || tableName === '') return undefined;
  return /^https?:/.test(endpoint) && URL.canParse(endpoint) ? { endpoint, tableName } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
