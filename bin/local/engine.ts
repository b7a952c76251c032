import { type ChildProcess, execSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, statSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import { createServer, type Server } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import project from '../../package.json' with { type: 'json' };

export interface Engine {
  readonly endpoint: string;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Ends the engine when standard input, a pipe, is closed: not even SIGKILL of this process leaves it behind. */
const SUPERVISOR = 'exec 3<&0; "$0" "$@" 3<&- & engine=$!; (read -r _ <&3; kill "$engine") & wait "$engine"';
/** Longest wait for the engine's first response, in milliseconds. Ten are usual; the limit only prevents hanging. */
const START_LIMIT = 60_000;
/** Milliseconds between two requests to an engine that is starting. */
const RETRY_AFTER = 10;
/** Longest wait for a response, in milliseconds. Only a server that accepts connections and then hangs reaches it. */
const RESPONSE_LIMIT = 10_000;

/** Starts the engine at an address that no web page can use. Throws one sentence if it is missing or does not start. */
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
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()));
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

async function becomesReady(endpoint: string, child: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + START_LIMIT;
  while (child.exitCode === null && child.signalCode === null && child.pid !== undefined && Date.now() < deadline) {
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

export function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server is not listening.');
  return address.port;
}

/** Ports that browsers block (https://fetch.spec.whatwg.org/#port-blocking), except 4190 and 6679 for Chromium. */
export const BLOCKED_PORTS: readonly number[] = [
  1719, 1720, 1723, 2049, 3659, 4045, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10080,
];

/**
 * Returns a free address for the engine, which accepts any origin: browsers block its port, and pages cannot find a
 * random host in 127.0.0.0/8. Systems such as macOS have only the first guard. Throws one sentence if no port is free.
 */
export async function freeEngineAddress(hosts: readonly string[] = [randomHost(), '127.0.0.1']) {
  const first = randomInt(BLOCKED_PORTS.length);
  const ports = [...BLOCKED_PORTS.slice(first), ...BLOCKED_PORTS.slice(0, first)];
  for (const host of hosts) {
    for (const port of ports) {
      if (await isFree(host, port)) return { host, port };
    }
  }
  throw new Error(
    `The embedded DynamoDB engine has no free port. It uses only ports that browsers block. Free one of them: ${BLOCKED_PORTS.join(', ')}.`,
  );
}

function randomHost(): string {
  return `127.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

async function isFree(host: string, port: number): Promise<boolean> {
  await using server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
    return true;
  } catch {
    return false;
  }
}

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly searchPath: string;
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
