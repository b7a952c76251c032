import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeBlocks, sampleText } from '../../support/documents/documents.ts';
import { until } from '../../support/until.ts';

/** The port that the samples name. */
const PORT = '8080';

/** A receiver of webhooks that docs/webhooks.md shows or links. */
interface SampleReceiver {
  readonly name: string;
  readonly sample: () => string;
  readonly fileName: string;
  /** The command that starts the sample, on a port. */
  readonly start: (file: string, port: string) => readonly [string, ...string[]];
}

/** The receiver of ten lines. */
export const SHORTEST: SampleReceiver = {
  name: 'JavaScript',
  sample: () => codeBlocks('docs/webhooks.md', 'js').join(),
  fileName: 'receiver.mjs',
  start: (file) => [process.execPath, file],
};

const RECEIVERS: readonly SampleReceiver[] = [
  SHORTEST,
  {
    name: 'Python',
    sample: () => sampleText('receiver.py'),
    fileName: 'receiver.py',
    start: (file) => ['python3', file],
  },
  {
    name: 'PHP',
    sample: () => sampleText('receiver.php'),
    fileName: 'receiver.php',
    start: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
  },
];

/** The receivers to test: all with `SAMPLES=all`, which CI sets; else the receivers in installed languages. */
export function receiversToTest(): SampleReceiver[] {
  return RECEIVERS.filter(({ start }) => {
    const [command] = start('', PORT);
    return process.env['SAMPLES'] === 'all' || spawnSync(command, ['--version']).status === 0;
  });
}

/** A receiver that was started. */
export interface RunningReceiver {
  readonly url: string;
  /** Resolves to true as soon as the receiver has printed a text, and to false if it ends before. */
  readonly hasPrinted: (text: string) => Promise<boolean>;
  /** All that the receiver has printed so far. */
  readonly printed: () => string;
  readonly stop: () => Promise<void>;
}

/** Writes a receiver to a folder, with a port that is free now. */
export async function writeReceiver(receiver: SampleReceiver, folder: string) {
  await symlink(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'));
  const file = join(folder, receiver.fileName);
  const port = String(await freePort());
  await writeFile(file, receiver.sample().replace(PORT, port));
  return { file, port };
}

/** Starts a receiver and waits until it listens or ends. */
export async function startReceiver(receiver: SampleReceiver, secret: string | undefined): Promise<RunningReceiver> {
  const folder = await mkdtemp(join(tmpdir(), 'receiver-'));
  const { file, port } = await writeReceiver(receiver, folder);
  const [command, ...args] = receiver.start(file, port);
  const { PATH = '' } = process.env;
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH, WEBHOOK_SECRET: secret } });
  const printed = new Output();
  child.stdout.on('data', (chunk) => printed.add(chunk));
  child.stderr.on('data', (chunk) => printed.add(chunk));
  const closed = once(child, 'close').then(() => printed.end());
  const url = `http://127.0.0.1:${port}/`;
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  await until(async () => hasEnded() || responds(url));
  const running = {
    url,
    hasPrinted: (text: string) => printed.contains(text),
    printed: () => printed.text,
    stop: async () => {
      child.kill('SIGKILL');
      await closed;
      await rm(folder, { recursive: true });
    },
  };
  if (!hasEnded()) return running;
  await closed;
  if (!/EADDRINUSE|address already in use/i.test(printed.text)) return running;
  // Another process took the port after it was found.
  await running.stop();
  return startReceiver(receiver, secret);
}

/** The output of a process. */
class Output {
  text = '';
  #isEnded = false;
  #changed = Promise.withResolvers<void>();

  add(chunk: unknown): void {
    this.text += String(chunk);
    this.#notify();
  }

  end(): void {
    this.#isEnded = true;
    this.#notify();
  }

  async contains(part: string): Promise<boolean> {
    while (!this.text.includes(part) && !this.#isEnded) await this.#changed.promise;
    return this.text.includes(part);
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

const responds = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

/**
 * Finds a free port outside of the range of `listen(0)`, which other tests use: https://docs.kernel.org/networking/ip-sysctl.html
 * (`ip_local_port_range`).
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    return port;
  }
}
