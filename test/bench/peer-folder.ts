import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from './peers/package.json' with { type: 'json' };

const SOURCES = join(import.meta.dirname, 'peers');

/** The machine lacks something that the benchmark needs. The message is a whole sentence. */
export class Missing extends Error {}

/** The versions of what the peers need. */
export const VERSIONS: Readonly<Record<string, string>> = manifest.dependencies;

/**
 * Returns a folder of the user's cache with the sources of the peers and what they need, which the first call installs.
 * The project never depends on it. Throws `Missing` without the package registry.
 */
export function peerFolder(environment = process.env): string {
  const cache = environment['XDG_CACHE_HOME'] || join(environment['HOME'] || tmpdir(), '.cache');
  const list = readFileSync(join(SOURCES, 'package.json'));
  const version = createHash('sha256').update(list).digest('hex').slice(0, 12);
  const folder = join(cache, 'referral-tracking', `bench-peers-${version}`);
  const installed = join(folder, 'installed');
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(SOURCES)) copyFileSync(join(SOURCES, file), join(folder, file));
  if (existsSync(installed)) return folder;
  console.log(`Installing ${Object.keys(VERSIONS).join(', ')} into ${folder} …`);
  try {
    // The prefix, because `npm run` sets it to the project for the commands that it runs.
    const options = ['--prefix', folder, '--no-audit', '--no-fund', '--loglevel', 'error'];
    execFileSync('npm', ['install', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (cause) {
    throw new Missing('npm cannot install the peers of the benchmark: check the network and the registry of npm.', {
      cause,
    });
  }
  writeFileSync(installed, '');
  return folder;
}

/** Loads a package, or a file of one, from the folder of the peers. */
export function requireFrom<Module>(folder: string, name: string): Module {
  return createRequire(join(folder, 'package.json'))(name);
}
