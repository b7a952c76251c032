import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, statSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import type { Server } from 'node:net';
import { posix, win32 } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freeEngineAddress } from './engine-address.ts';

/** A running engine. */
export interface Engine {
  /** Address for `DYNAMODB_ENDPOINT`. */
  readonly endpoint: string;
  /** Resolves when the engine has ended, with or without `stop`. */
  readonly ended: Promise<void>;
  /** Ends the engine and resolves when it has ended. */
  stop(): Promise<void>;
}

/** The properties of a machine that determine the path of its engine. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** The environment variable `PATH`. */
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
/**
 * Runs the engine until it ends or until standard input, a pipe, is closed. The pipe closes however this process ends,
 * so that not even SIGKILL leaves an engine behind.
 */
const SUPERVISOR = 'exec 3<&0; "$0" "$@" 3<&- & engine=$!; (read -r _ <&3; kill "$engine") & wait "$engine"';
/** Longest wait for the engine's first response, in milliseconds. Ten are usual; the limit only prevents hanging. */
const START_LIMIT = 60_000;
/** Milliseconds between two requests to an engine that is starting. */
const RETRY_AFTER = 10;
/** Longest wait for a response, in milliseconds. Only a server that accepts connections and then hangs reaches it. */
const RESPONSE_LIMIT = 10_000;

/**
 * Starts the embedded DynamoDB engine at an address of this machine that no web page can use. The engine keeps its data
 * in `file`, or in memory without one. Throws an error with one clear message if it is missing or does not start.
 */
export async function startEngine(file?: string): Promise<Engine> {
  const binary = findEngine();
  const { host, port } = await freeEngineAddress();
  const endpoint = `http://${host}:${port}`;
  const options = ['--host', host, '--port', String(port), ...(file ? ['--db-path', file] : [])];
  // Detached: Ctrl-C signals the whole process group of the terminal, but the engine must outlive pending requests.
  const child = spawn('sh', ['-c', SUPERVISOR, binary, ...options], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = () => {
    child.stdin.end();
    return ended;
  };
  if (await becomesReady(endpoint, child)) return { endpoint, ended, stop };
  await stop();
  throw new Error(
    `The embedded DynamoDB engine does not start${file ? ` on ${file}. Move the file away if it is damaged, or set DATA_DIR to another folder` : ''}.`,
  );
}

/**
 * Returns the path of the engine: in the package of this platform, or else on the `PATH`. Throws an error that lists
 * the commands to install an engine.
 */
export function findEngine({ platform, arch, searchPath, resolve }: Machine = THIS_MACHINE): string {
  const { delimiter, join } = platform === 'win32' ? win32 : posix;
  const binary = platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  const target = `${platform}-${arch}`;
  try {
    return resolve(`@dynoxide/${target}/${binary}`);
  } catch {
    // The package is not installed.
  }
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '');
  const found = folders.map((folder) => join(folder, binary)).find(isExecutable);
  if (found !== undefined) return found;
  throw new Error(
    [
      `No DynamoDB engine is installed for ${target}. Get one in one of these ways, then try again:`,
      ...(PACKAGED.includes(target) ? [`  npm install --no-save @dynoxide/${target}`] : []),
      platform === 'win32'
        ? `  download ${binary} from https://github.com/nubo-db/dynoxide/releases into a folder on the PATH`
        : '  brew install nubo-db/tap/dynoxide   (installs dynoxide on the PATH)',
      '  docker run --rm -p 127.0.0.1:6667:8000 amazon/dynamodb-local   (then set DYNAMODB_ENDPOINT=http://localhost:6667)',
    ].join('\n'),
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

async function becomesReady(endpoint: string, child: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + START_LIMIT;
  const isRunning = () => child.exitCode === null && child.signalCode === null && child.pid !== undefined;
  while (isRunning() && Date.now() < deadline) {
    if (await responds(endpoint)) return true;
    await pause(RETRY_AFTER);
  }
  return false;
}

/** Returns true if a server responds at the address within ten seconds, even with an error. */
export async function responds(endpoint: string): Promise<boolean> {
  // Like browsers, `fetch` blocks the engine's port.
  const { get } = endpoint.startsWith('https:') ? https : http;
  const request = get(endpoint, { signal: AbortSignal.timeout(RESPONSE_LIMIT) }, (response) => response.destroy());
  return once(request, 'response').then(
    () => true,
    () => false,
  );
}

/** Returns the port on which a server listens. */
export function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server is not listening.');
  return address.port;
}
