import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import client from '../../../client/package.json' with { type: 'json' };

const CLIENT = join(import.meta.dirname, '../../../client');
const { resolve } = createRequire(join(CLIENT, 'package.json'));

/** Builds the client and installs the package as `npm install` would, with its dependencies, for programs in a folder. */
export function installClient(folder: string): void {
  const target = join(folder, 'node_modules', client.name);
  mkdirSync(target, { recursive: true });
  copyFileSync(join(CLIENT, 'package.json'), join(target, 'package.json'));
  execFileSync(process.execPath, [
    resolve('typescript/bin/tsc'),
    '--project',
    CLIENT,
    '--outDir',
    join(target, 'dist'),
  ]);
  for (const name of Object.keys(client.dependencies)) {
    symlinkSync(dirname(resolve(`${name}/package.json`)), join(folder, 'node_modules', name));
  }
}
