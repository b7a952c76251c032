import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { until } from './until.ts';

/** Folder in which Node keeps compiled code, types stripped: it halves the start of each process but the first. */
export const NODE_COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/tests');

/** An `npm start` that a test runs. */
export interface Started {
  readonly process: ChildProcess;
  readonly url: string;
  /** Its output up to the line "Ready". */
  readonly printed: string;
}

const ROOT = join(import.meta.dirname, '../..');

const running = new Set<ChildProcess>();

function launch(environment: Readonly<Record<string, string>>): ChildProcess {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['bin/local/main.ts'], {
    cwd: ROOT,
    env: { PATH, PORT: '0', NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Starts the service as `npm start` does, without npm, and waits until it is ready. */
export async function start(environment: Readonly<Record<string, string>>): Promise<Started> {
  const child = launch(environment);
  let printed = '';
  // A test may read the rest.
  for await (const chunk of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    printed += chunk;
    const url = /^Ready on (\S+)\n$/m.exec(printed)?.[1];
    if (url) return { process: child, url, printed };
  }
  throw new Error(`The service did not start. Output: ${printed}`);
}

/** Starts the service, which must fail. Returns its exit status and its standard error. */
export async function failToStart(environment: Readonly<Record<string, string>>) {
  const child = launch(environment);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += String(chunk);
  });
  const [status] = await once(child, 'close');
  return { status, stderr };
}

/** Sends a signal and waits for the exit. Returns the exit status. */
export async function end({ process: child }: Started, signal: NodeJS.Signals): Promise<unknown> {
  const ended = once(child, 'exit');
  child.kill(signal);
  const [status] = await ended;
  return status;
}

/** Kills the processes that a failed test did not end: jest would wait for them. */
export async function killRemaining(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }),
  );
}

/** Waits until no server listens at an address. */
export async function waitUntilClosed(address: string): Promise<void> {
  const { hostname, port } = new URL(address);
  const isListening = async () => {
    const socket = connect(Number(port), hostname);
    const isConnected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isConnected;
  };
  await until(async () => !(await isListening()));
}
