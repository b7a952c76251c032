import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { selfSigned } from '../support/certificate.ts';

/** The emulator. It pins its own dependencies, so nothing else may be installed beside it. */
const PACKAGE = { name: 'ministack', version: '1.5.33' };

/** The machine lacks something that the test needs. The message is a whole sentence. */
class Missing extends Error {}

/**
 * Returns the Python of a virtual environment with the emulator, which it creates in the user's cache at the first call.
 * Throws `Missing` without Python 3.10 or a package registry.
 */
function pythonWithEmulator(environment = process.env): string {
  const cache = environment['XDG_CACHE_HOME'] || join(environment['HOME'] || tmpdir(), '.cache');
  const folder = join(cache, 'referral-tracking', `${PACKAGE.name}-${PACKAGE.version}`);
  const python = join(folder, 'bin', 'python');
  if (installedVersion(python) === PACKAGE.version) return python;
  console.log(`Installing ${PACKAGE.name} ${PACKAGE.version} into ${folder}`);
  const run = (sentence: string, command: string, ...args: readonly string[]) => {
    try {
      execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    } catch (cause) {
      throw new Missing(sentence, { cause });
    }
  };
  const isNew = 'import sys; sys.exit(sys.version_info < (3, 10))';
  run('npm run test:deploy needs Python 3.10 or newer: install python3.', 'python3', '-c', isNew);
  run(
    'npm run test:deploy needs the module venv of Python: install python3-venv.',
    'python3',
    '-m',
    'venv',
    '--clear',
    folder,
  );
  const requirement = `${PACKAGE.name}==${PACKAGE.version}`;
  run(
    `npm run test:deploy needs ${requirement} from PyPI, which pip could not install: check the network and the package index of pip.`,
    python,
    ...['-m', 'pip', 'install', '--quiet', '--retries', '2', '--disable-pip-version-check', requirement],
  );
  return python;
}

function installedVersion(python: string): string | undefined {
  const script = `from importlib.metadata import version; print(version("${PACKAGE.name}"))`;
  try {
    return execFileSync(python, ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}

// npm run test:deploy: deploys the stack to an emulator of AWS, and uses it. Everything runs in a network namespace,
// where all ports are free, a webhook's receiver has a public address, and nothing can reach the real AWS.

/** An address that webhooks accept. It exists on the loopback interface of the namespace only. */
const PUBLIC_ADDRESS = '203.0.114.1';

/** Longest time of a run on a busy machine, in milliseconds. */
const TIME_LIMIT = 30 * 60_000;

/** Returns the command that runs another one in a new network namespace. Throws `Missing` if the system allows none. */
function namespace(): readonly [string, ...string[]] {
  const commands = [[], ['--map-root-user']].map((as): [string, ...string[]] => ['unshare', '--net', '--mount', ...as]);
  const found = commands.find(([command, ...args]) => {
    try {
      execFileSync(command, [...args, 'true'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
  if (!found)
    throw new Missing(
      'npm run test:deploy needs a network namespace: run it on Linux, as root or with unprivileged user namespaces.',
    );
  return found;
}

/** Creates the certificate of the emulator and of the receiver, which signs itself. */
function writeCertificate(folder: string) {
  const { key, cert } = selfSigned(['localhost', '*.execute-api.localhost'], ['127.0.0.1', PUBLIC_ADDRESS]);
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  writeFileSync(keyFile, key);
  writeFileSync(certificateFile, cert);
  return { keyFile, certificateFile };
}

async function main(): Promise<number> {
  const python = pythonWithEmulator();
  const [command, ...args] = namespace();
  const folder = mkdtempSync(join(tmpdir(), 'test-deploy-'));
  const { keyFile, certificateFile } = writeCertificate(folder);
  const { PATH = '' } = process.env;
  const child = spawn(command, [...args, process.execPath, join(import.meta.dirname, 'run.ts')], {
    stdio: 'inherit',
    // Nothing else of the environment: no credentials, no profiles and no proxies.
    env: {
      HOME: folder,
      // Lambda functions run on the Node that is first.
      PATH: `${dirname(process.execPath)}:${PATH}`,
      TMPDIR: folder,
      DEPLOY_PYTHON: python,
      DEPLOY_ADDRESS: PUBLIC_ADDRESS,
      DEPLOY_KEY: keyFile,
      NODE_EXTRA_CA_CERTS: certificateFile,
      AWS_CA_BUNDLE: certificateFile,
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal));
  const limit = setTimeout(() => child.kill(), TIME_LIMIT);
  try {
    const [status] = await once(child, 'exit');
    return status ?? 1;
  } finally {
    clearTimeout(limit);
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Missing)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
