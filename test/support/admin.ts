import { type ChildProcess, execFile } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { NODE_COMPILE_CACHE } from './start.ts';

/** The result of a finished command. `status` is null if a signal ended it. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The last line of commander's messages about invalid arguments. */
export const SEE_HELP = 'Run with --help to see the commands and options.\n';

const ROOT = join(import.meta.dirname, '../..');

/** Copies what the command line needs to a folder, as a project of which no `npm start` runs. */
export async function copyProject(folder: string): Promise<void> {
  for (const name of ['bin', 'functions', 'package.json']) {
    await cp(join(ROOT, name), join(folder, name), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

/** Runs the operator's command line in a process of its own, with exactly this environment. `watch` gets the process. */
export function runAdmin(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  {
    project = ROOT,
    cwd = project,
    watch,
  }: { project?: string; cwd?: string; watch?: (child: ChildProcess) => void } = {},
): Promise<Ended> {
  const options = { env: { NODE_COMPILE_CACHE, ...environment }, cwd };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(project, 'bin/admin/main.ts'), ...args],
      options,
      (_, stdout, stderr) => resolve({ status: child.exitCode, stdout, stderr }),
    );
    watch?.(child);
  });
}
