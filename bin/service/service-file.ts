import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isHttpAddress } from './environment.ts';

/**
 * The file `service.json` in the `DATA_DIR` of a running `npm start`, through which the operator's command line finds the
 * table.
 */
export interface ServiceFile {
  readonly endpoint: string;
  readonly tableName: string;
  /** Base URL of the service, set once it accepts requests. */
  readonly baseUrl?: string;
}

const NAME = 'service.json';

/** Writes the file. Only one process has the lock of `dataDir`, so only one writes. */
export async function writeServiceFile(dataDir: string, service: ServiceFile): Promise<void> {
  const draft = join(dataDir, `${NAME}.new`);
  // The endpoint lets anyone who knows it read and change the table.
  await writeFile(draft, `${JSON.stringify(service)}\n`, { mode: 0o600 });
  // A reader never finds half a file.
  await rename(draft, join(dataDir, NAME));
}

/**
 * Reads the file in `dataDir`; `undefined` if it is missing or invalid. The file remains when a service is killed: only
 * a response from the endpoint shows that the service runs.
 */
export async function readServiceFile(dataDir: string): Promise<ServiceFile | undefined> {
  const text = await readFile(join(dataDir, NAME), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : parse(text);
}

/** Deletes the file. */
export async function removeServiceFile(dataDir: string): Promise<void> {
  await rm(join(dataDir, NAME), { force: true });
}

function parse(text: string): ServiceFile | undefined {
  let fields: Partial<Record<keyof ServiceFile, unknown>>;
  try {
    fields = JSON.parse(text) ?? {};
  } catch {
    return undefined;
  }
  const { endpoint, tableName, baseUrl } = fields;
  if (!isHttpAddress(endpoint) || typeof tableName !== 'string') return undefined;
  return { endpoint, tableName, ...(isHttpAddress(baseUrl) && { baseUrl }) };
}
