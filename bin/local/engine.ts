import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A running engine. */
export interface Engine {
  /** Address for `DYNAMODB_ENDPOINT`. */
  readonly endpoint: string;
  /** Settles when the engine has ended, by `stop` or by itself. */
  readonly ended: Promise<void>;
  /** Ends the engine and waits until it has. */
  stop(): Promise<void>;
}

const PACKAGE = `@dynoxide/${process.platform}-${process.arch}`;
const BINARY = join(import.meta.dirname, '../../node_modules', PACKAGE, 'dynoxide');
/**
 * Runs the engine until it ends or the pipe at standard input closes, which it does however this process ends: no
 * engine is left behind, not even by a SIGKILL.
 */
const KEEPER = 'exec 3<&0; "$0" "$@" 3<&- & engine=$!; (read -r _ <&3; kill "$engine") & wait "$engine"';
/** Longest wait for the engine's first response, in milliseconds. It takes about ten; this only guards against hanging. */
const START_LIMIT = 60_000;
/** Milliseconds between two looks at an engine that is starting. */
const RETRY_AFTER = 10;
/** Longest wait for a response, in milliseconds: only a server that accepts a connection and hangs reaches it. */
const ANSWER_LIMIT = 10_000;

/**
 * Starts the embedded DynamoDB engine on a free port of this machine. `file` keeps its data; without one they end with
 * it. Throws an error with one clear sentence where there is no engine for this platform or it does not start.
 */
export async function startEngine(file?: string): Promise<Engine> {
  if (!existsSync(BINARY)) {
    throw new Error(
      `The embedded DynamoDB engine is missing (package ${PACKAGE}): run npm install, or set DYNAMODB_ENDPOINT to another DynamoDB such as DynamoDB Local.`,
    );
  }
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  // Detached: a Ctrl-C goes to the whole group of the terminal, but the engine must outlive the requests under way.
  const child = spawn('sh', ['-c', KEEPER, BINARY, '--port', String(port), ...(file ? ['--db-path', file] : [])], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  if (!(await becomesReady(endpoint, child))) {
    await stop(child, ended);
    throw new Error(
      `The embedded DynamoDB engine does not start${file ? ` on ${file}: move the file away if it is damaged, or set DATA_DIR to another folder.` : '.'}`,
    );
  }
  return { endpoint, ended, stop: () => stop(child, ended) };
}

async function becomesReady(endpoint: string, child: ChildProcess): Promise<boolean> {
  for (const deadline = Date.now() + START_LIMIT; Date.now() < deadline; await pause(RETRY_AFTER)) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return false;
    if (await responds(endpoint)) return true;
  }
  return false;
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.stdin?.end();
  await ended;
}

/** True where a server answers at the address in some seconds. Any answer will do, a refusal too: it listens. */
export async function responds(endpoint: string): Promise<boolean> {
  return fetch(endpoint, { signal: AbortSignal.timeout(ANSWER_LIMIT) }).then(
    () => true,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The port on which a server listens. */
export function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server does not listen.');
  return address.port;
}
