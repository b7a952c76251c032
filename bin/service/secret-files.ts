import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { milliseconds } from '../../functions/domain/time.ts';
import type { Secret, SecretOwner, SecretStore } from '../../functions/secrets/secrets.ts';
import { isSystemError } from './process.ts';

/** Each segment of an owner is a folder. It can come from the path of a request, so it must not lead elsewhere. */
const OWNER = /^[\w-]+(?:\/[\w-]+)+$/;
/** The names of files with secrets. */
const KEY = /^[\da-f]{64}$/;
/** Precedes the name of a file that is being written. */
const DRAFT = 'draft-';

/**
 * The signing secrets in `DATA_DIR`, one file each: `secrets/<owner>/<SHA-256 of the secret>`. Only the user who runs
 * the service can read them. Nothing is cached: a new secret is used immediately.
 */
export function secretFiles(dataDir: string): SecretStore {
  const folderOf = (owner: SecretOwner) => (OWNER.test(owner) ? join(dataDir, 'secrets', owner) : undefined);
  return {
    async read(owner) {
      const folder = folderOf(owner);
      if (folder === undefined) return [];
      const keys = (await namesIn(folder)).filter((name) => KEY.test(name));
      const secrets = await Promise.all(keys.map((key) => readSecret(join(folder, key))));
      return secrets
        .flatMap((secret) => secret ?? [])
        .sort((one, other) => other.createdAt - one.createdAt || (one.value < other.value ? -1 : 1));
    },

    async add(owner, { value, createdAt }) {
      const folder = folderOf(owner);
      if (folder === undefined) throw new Error(`"${owner}" cannot have secrets. Check the id of the program.`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const key = keyOf(value);
      await removeDrafts(folder, key);
      // A reader never finds half a file, and a machine that fails leaves the old or the new one.
      const draft = join(folder, `${DRAFT}${key}-${randomUUID()}`);
      const content = `${JSON.stringify({ value, created_at: createdAt })}\n`;
      try {
        do await writeFile(draft, content, { mode: 0o600, flush: true });
        while (!(await isRenamed(draft, join(folder, key))));
      } finally {
        await rm(draft, { force: true });
      }
    },

    async remove(owner, secrets) {
      const folder = folderOf(owner);
      if (folder === undefined) return;
      await Promise.all(secrets.map(({ value }) => rm(join(folder, keyOf(value)), { force: true })));
      await removeDrafts(folder);
    },
  };
}

/** The same secret always has the same file, so that adding it again replaces its time. */
function keyOf(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** Deletes the drafts of a secret, or of all. A killed process leaves them, and they contain the secret. */
async function removeDrafts(folder: string, key = ''): Promise<void> {
  const drafts = (await namesIn(folder)).filter((name) => name.startsWith(`${DRAFT}${key}`));
  await Promise.all(drafts.map((name) => rm(join(folder, name), { force: true })));
}

/** Renames a draft. Returns false if another process has deleted it, which cannot know that it is in use. */
async function isRenamed(draft: string, file: string): Promise<boolean> {
  try {
    await rename(draft, file);
    return true;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return [];
    throw unusable(folder);
  }
}

/** Reads a secret; `undefined` if it has just been removed. */
async function readSecret(file: string): Promise<Secret | undefined> {
  try {
    const { value, created_at }: { value?: unknown; created_at?: unknown } = JSON.parse(await readFile(file, 'utf8'));
    if (typeof value === 'string' && typeof created_at === 'number')
      return { value, createdAt: milliseconds(created_at) };
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
  }
  throw unusable(file);
}

/**
 * Never contains the cause: the message of JSON's parser repeats what it read. The sentence is also the name, because the
 * service logs the names of errors only. It contains no personal data.
 */
function unusable(path: string): Error {
  const sentence = `The secret ${path} cannot be read. Make it readable; or delete it, then run webhook rotate or stripe connect.`;
  return Object.assign(new Error(sentence), { name: sentence });
}
