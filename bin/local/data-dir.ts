import { access, chmod, constants, mkdir, stat } from 'node:fs/promises';
import { isAlive, startTimeOf } from '../service/process.ts';
import { claimServiceFile, readServiceFile, removeServiceFile } from '../service/service-file.ts';
import { responds } from './engine.ts';

/** Permissions of a folder that only its owner can use, and the bits to compare them with. */
const OWNER_ONLY = 0o700;
const ALL_USERS = 0o777;
/** The bit of a folder in which every user may write. */
const STICKY = 0o1000;

/**
 * Creates `DATA_DIR`, closes it to other users, and removes the service file of an ended start. Throws if another start
 * uses the folder.
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: OWNER_ONLY });
    await access(dataDir, constants.W_OK);
  } catch {
    throw new Error(`DATA_DIR ${dataDir} is not a writable folder. Set DATA_DIR to another one.`);
  }
  await closeToOthers(dataDir);
  const other = await readServiceFile(dataDir);
  // Neither check is enough alone: not every platform reports when a process started, and a DynamoDB at
  // DYNAMODB_ENDPOINT outlives the service.
  if (other && isAlive(other.pid, other.startTime) && (await responds(other.endpoint))) throw inUse(dataDir);
  await removeServiceFile(dataDir, other?.pid);
}

/** Makes a folder private. Throws if other users need it: it is sticky, as /tmp is, or belongs to one of them. */
async function closeToOthers(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & ALL_USERS) === OWNER_ONLY) return;
  const shared = new Error(`DATA_DIR ${folder} is shared with other users. Set DATA_DIR to a folder of your own.`);
  if ((mode & STICKY) !== 0) throw shared;
  await chmod(folder, OWNER_ONLY).catch(() => {
    throw shared;
  });
}

/** Writes the service file, which is the lock of `DATA_DIR`. Throws if another start was faster. */
export async function claimDataDir(dataDir: string, tableName: string, endpoint: string): Promise<void> {
  const startTime = startTimeOf(process.pid);
  const service = { endpoint, tableName, pid: process.pid, ...(startTime && { startTime }) };
  if (!(await claimServiceFile(dataDir, service))) throw inUse(dataDir);
}

function inUse(dataDir: string): Error {
  return new Error(`Another npm start is using ${dataDir}. Stop it, or set DATA_DIR to another folder.`);
}
