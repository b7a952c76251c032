import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** A program built from a sample. */
interface Program {
  readonly command: string;
  /** Its only file, and what the file contains. */
  readonly file: string;
  readonly content: string;
  /** Arguments before the file. */
  readonly options?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** A folder `node_modules` with the packages that the sample imports. */
  readonly modules?: string;
}

/** Runs a program in a folder of its own, with exactly this environment. Returns its exit status, output and log. */
export async function runProgram({ command, file, content, options = [], environment, modules }: Program) {
  const folder = await mkdtemp(join(tmpdir(), 'sample-'));
  try {
    if (modules !== undefined) await symlink(modules, join(folder, 'node_modules'));
    await writeFile(join(folder, file), content);
    const child = spawn(command, [...options, file], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Only guards against hanging: no process may outlive a failed test.
      timeout: 100_000,
      env: { ...environment },
    });
    const [printed, logged, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { status, printed, logged };
  } finally {
    await rm(folder, { recursive: true });
  }
}
