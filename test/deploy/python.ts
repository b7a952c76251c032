import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The emulator. It pins its own dependencies, so nothing else may be installed beside it. */
const PACKAGE = { name: 'ministack', version: '1.5.33' };

/** The machine lacks something that the test needs. The message is a whole sentence. */
export class Missing extends Error {}

/**
 * Returns the Python of a virtual environment with the emulator, which it creates in the user's cache at the first call.
 * Throws `Missing` without Python 3.10 or a package registry.
 */
export function pythonWithEmulator(environment = process.env): string {
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
