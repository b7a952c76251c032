import { execSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix, win32 } from 'node:path';
import project from '../../package.json' with { type: 'json' };

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly searchPath: string;
  /** Returns the path of a file in an installed package. Throws if the package is not installed. */
  readonly resolve: (file: string) => string;
}

const THIS_MACHINE: Machine = {
  platform: process.platform,
  arch: process.arch,
  searchPath: process.env['PATH'] ?? '',
  resolve: createRequire(import.meta.url).resolve,
};
/** Platforms with an engine package on npm. The lockfile contains the one for Linux on x64. */
const PACKAGED = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'];
/** The version in the lockfile, which `engine-file.ts` was written for. */
const VERSION = project.optionalDependencies['@dynoxide/linux-x64'];

/** Installs the engine's package if this platform has one. Only `npm start` calls it: tests change no folder. */
export function installMissingEngine(): void {
  const target = `${process.platform}-${process.arch}`;
  if (locateEngine(THIS_MACHINE) !== undefined || !PACKAGED.includes(target)) return;
  console.log(`No DynamoDB engine is installed for ${target}, so npm installs @dynoxide/${target} now.\n`);
  try {
    // By a shell, because npm is a script on Windows, `npm.cmd`.
    const command = `npm install --no-save @dynoxide/${target}@${VERSION}`;
    execSync(command, { cwd: join(import.meta.dirname, '../..'), stdio: 'ignore' });
  } catch {
    // The engine is still missing.
  }
}

/** Finds the engine in its package or on the `PATH`. Throws an error that lists the commands to install it. */
export function findEngine(machine: Machine = THIS_MACHINE): string {
  const found = locateEngine(machine);
  if (found !== undefined) return found;
  const { platform, arch } = machine;
  const target = `${platform}-${arch}`;
  throw new Error(
    [
      `No DynamoDB engine is installed for ${target}. Get one in one of these ways, then try again:`,
      ...(PACKAGED.includes(target) ? [`  npm install --no-save @dynoxide/${target}@${VERSION}`] : []),
      platform === 'win32'
        ? '  download dynoxide.exe from https://github.com/nubo-db/dynoxide/releases into a folder on the PATH'
        : '  brew install nubo-db/tap/dynoxide   (installs dynoxide on the PATH)',
      '  docker run --rm -p 127.0.0.1:6667:8000 amazon/dynamodb-local   (then set DYNAMODB_ENDPOINT=http://localhost:6667)',
    ].join('\n'),
  );
}

function locateEngine({ platform, arch, searchPath, resolve }: Machine): string | undefined {
  const { delimiter, join } = platform === 'win32' ? win32 : posix;
  const binary = platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  try {
    return resolve(`@dynoxide/${platform}-${arch}/${binary}`);
  } catch {
    // The package is not installed.
  }
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, binary)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
