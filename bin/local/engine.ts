import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freeEngineAddress } from './engine-address.ts';
import { findEngine } from './engine-binary.ts';

export interface Engine {
  readonly endpoint: string;
  /** Resolves when the engine has ended, with or without `stop`. */
  readonly ended: Promise<void>;
  /** Ends the engine and resolves when it has ended. */
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
