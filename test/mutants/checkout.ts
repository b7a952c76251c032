import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { Mutant } from './table.ts';

const ROOT = join(import.meta.dirname, '../..');
const LEFT_OUT = new Set(['node_modules', '.git', '.local', 'cdk.out', 'coverage', 'dist']);
/** Generated from `web/`. */
const SCRIPT = 'functions/pages/script.js';

/** The start of a mutant's text in its file; `undefined` unless it occurs exactly once. */
export function startOf({ file, text }: Mutant): number | undefined {
  const path = join(ROOT, file);
  const [before = '', ...others] = existsSync(path) ? readFileSync(path, 'utf8').split(text) : [];
  return others.length === 1 ? before.length : undefined;
}

/** A temporary copy of the checkout with the same packages. Mutants are applied only here. */
export class Copy implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), 'mutants-'));
  readonly folder = join(this.#root, 'checkout');
  /** For the temporary files of tests, which are deleted with the copy. */
  readonly temporary = join(this.#root, 'temporary');

  constructor() {
    cpSync(ROOT, this.folder, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
    mkdirSync(this.temporary);
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
    process.once('exit', () => this[Symbol.dispose]());
  }

  /** Calls `work` while mutants are applied, whose texts must not overlap. */
  async with<Result>(mutants: readonly Mutant[], work: () => Promise<Result>): Promise<Result> {
    for (const { file, text, replacement } of mutants) {
      const path = join(this.folder, file);
      const mutated = readFileSync(path, 'utf8').replace(text, () => replacement);
      writeFileSync(path, mutated);
    }
    try {
      if (mutants.length === 1 && mutants[0]?.file.startsWith('web/')) await this.generateScript();
      return await work();
    } finally {
      for (const file of [...mutants.map((mutant) => mutant.file), SCRIPT]) {
        copyFileSync(join(ROOT, file), join(this.folder, file));
      }
    }
  }

  private async generateScript(): Promise<void> {
    const { scriptFiles } = await import(join(this.folder, 'bin/generate/script.ts'));
    writeFileSync(join(this.folder, SCRIPT), (await scriptFiles())[SCRIPT]);
  }

  /** Returns what the compiler says about mutants. Whatever they no longer use is no error. */
  typeErrors(mutants: readonly Mutant[]): Promise<string> {
    const options = ['--noEmit', '--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];
    const check = (project: string) => {
      const command = ['node_modules/typescript/bin/tsc', '-p', project, ...options];
      return promisify(execFile)(process.execPath, command, { cwd: this.folder }).catch((error) => error);
    };
    return this.with(mutants, async () => {
      const results = await Promise.all(['.', 'web'].map(check));
      return results.map(({ stdout }) => stdout).join('');
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
