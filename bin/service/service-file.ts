import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isHttpAddress } from './environment.ts';
import { isSystemError } from './process.ts';

/**
 * The file `service.json` in the `DATA_DIR` of a running `npm start`. Through it, the operator's command line finds the
 * table, and a second start recognizes that the folder is in use.
 */
export interface ServiceFile {
  readonly endpoint: string;
  readonly tableName: string;
  /** The process of the service. */
  readonly pid: number;
  /** When that process started, if the platform reports it: process ids are reused. */
  readonly startTime?: string;
  /** Base URL of the service, set once it accepts requests. */
  readonly baseUrl?: string;
}

const NAME = 'service.json';

/** Writes the file of a service. Returns false, and changes nothing, if `dataDir` has such a file already. */
export async function claimServiceFile(dataDir: string, service: ServiceFile): Promise<boolean> {
  const draft = await writeDraft(dataDir, service);
  try {
    // `link` is atomic and fails if the name is taken: a reader never finds half a file.
    await link(draft, join(dataDir, NAME));
    return true;
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(draft);
  }
}

/** Adds the base URL to the file. Does nothing if the file is missing or belongs to another process than `pid`. */
export async function addBaseUrl(dataDir: string, pid: number, baseUrl: string): Promise<void> {
  const service = await readServiceFile(dataDir);
  if (service?.pid !== pid) return;
  await rename(await writeDraft(dataDir, { ...service, baseUrl }), join(dataDir, NAME));
}

/**
 * Reads the file in `dataDir`; `undefined` if it is missing or invalid. The file remains when a service is killed: only
 * a response from the endpoint shows that the service runs.
 */
export async function readServiceFile(dataDir: string): Promise<ServiceFile | undefined> {
  const text = await readText(dataDir);
  return text === undefined ? undefined : parse(text);
}

/**
 * Deletes the file if it belongs to the process `pid`. Without a `pid`, deletes only an invalid file: another start may
 * have written a valid one by then. Does nothing if the file is missing.
 */
export async function removeServiceFile(dataDir: string, pid?: number): Promise<void> {
  const text = await readText(dataDir);
  if (text !== undefined && parse(text)?.pid === pid) await rm(join(dataDir, NAME), { force: true });
}

function readText(dataDir: string): Promise<string | undefined> {
  return readFile(join(dataDir, NAME), 'utf8').catch(() => undefined);
}

async function writeDraft(dataDir: string, service: ServiceFile): Promise<string> {
  const draft = join(dataDir, `${NAME}.${service.pid}`);
  // The endpoint lets anyone who knows it read and change the table.
  await writeFile(draft, `${JSON.stringify(service)}\n`, { mode: 0o600 });
  return draft;
}

function parse(text: string): ServiceFile | undefined {
  let fields: Partial<Record<keyof ServiceFile, unknown>>;
  try {
    fields = JSON.parse(text) ?? {};
  } catch {
    return undefined;
  }
  const { endpoint, tableName, pid, startTime, baseUrl } = fields;
  if (!isHttpAddress(endpoint) || typeof tableName !== 'string' || typeof pid !== 'number') return undefined;
  return {
    endpoint,
    tableName,
    pid,
    ...(typeof startTime === 'string' && { startTime }),
    ...(isHttpAddress(baseUrl) && { baseUrl }),
  };
}
