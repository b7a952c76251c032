import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENDPOINT } from './aws.ts';
import { until } from './checks.ts';

const HOSTS = join(tmpdir(), 'hosts');
/** The emulator's own log, for failures. */
const LOG = join(tmpdir(), 'emulator.log');

/** Gives this namespace its own file of host names: Node resolves no other ones below localhost. */
export function useOwnHosts(): void {
  writeFileSync(HOSTS, '127.0.0.1 localhost\n');
  execFileSync('mount', ['--bind', HOSTS, '/etc/hosts']);
}

/** Makes the host of a deployment known in this namespace. */
export function addHost(baseUrl: string): void {
  appendFileSync(HOSTS, `127.0.0.1 ${new URL(baseUrl).hostname}\n`);
}

export interface Emulator {
  /** Peak memory in MB, without the functions (man 5 proc). */
  readonly memory: () => number;
  readonly stop: () => Promise<void>;
}

/** Starts the emulator with enforced IAM and TLS: the policies of bucket and queues deny plain HTTP. */
export async function startEmulator(): Promise<Emulator> {
  const { DEPLOY_PYTHON = '', DEPLOY_ADDRESS = '', DEPLOY_KEY, NODE_EXTRA_CA_CERTS, ...environment } = process.env;
  const child = spawn(DEPLOY_PYTHON, [join(import.meta.dirname, 'emulator.py'), DEPLOY_ADDRESS], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environment,
      GATEWAY_PORT: new URL(ENDPOINT).port,
      BIND_HOST: '127.0.0.1',
      AUTH: 'true',
      LAMBDA_EXECUTOR: 'local',
      USE_SSL: '1',
      MINISTACK_SSL_CERT: NODE_EXTRA_CA_CERTS,
      MINISTACK_SSL_KEY: DEPLOY_KEY,
      // The functions inherit it. They trust the certificate of the emulator and of the receiver.
      NODE_EXTRA_CA_CERTS,
    },
  });
  const log = createWriteStream(LOG);
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const stop = async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill();
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(timer);
  };
  try {
    await until('emulator', async () => {
      if (child.exitCode !== null) throw new Error(`The emulator ended:\n${readFileSync(LOG, 'utf8').slice(-2000)}`);
      const health = await fetch(`${ENDPOINT}/_ministack/ready`).catch(() => undefined);
      return health?.ok || undefined;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  const memory = () => {
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  };
  return { stop, memory };
}
