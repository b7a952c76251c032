import { access, chmod, constants, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isLocked, openDatabase } from '../service/service-file.ts';

/** Permissions of a folder that only its owner can use, and the bits to compare them with. */
const OWNER_ONLY = 0o700;
const ALL_USERS = 0o777;
/** The bit of a folder in which every user may write. */
const STICKY = 0o1000;
/** Longest wait for the lock, in milliseconds. Without a wait, two simultaneous starts could refuse each other. */
const LOCK_LIMIT = 1000;

/** Creates `DATA_DIR`, closes it to other users, and locks it. Throws if another start uses the folder. */
export async function lockDataDir(dataDir: string): Promise<Disposable> {
  try {
    await mkdir(dataDir, { recursive: true, mode: OWNER_ONLY });
    await access(dataDir, constants.W_OK);
  } catch {
    throw new Error(`DATA_DIR ${dataDir} is not a writable folder. Set DATA_DIR to another one.`);
  }
  await closeToOthers(dataDir);
  return lock(dataDir);
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

/** Locks an empty SQLite file. The operating system releases the lock however the process ends. */
function lock(dataDir: string): Disposable {
  const file = join(dataDir, 'lock.sqlite');
  try {
    const database = openDatabase(file, LOCK_LIMIT);
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (cause) {
    const sentence = isLocked(cause)
      ? `Another npm start is using ${dataDir}. Stop it, or set DATA_DIR to another folder.`
      : `The file ${file} cannot be used. Delete it.`;
    throw new Error(sentence, { cause });
  }
}
