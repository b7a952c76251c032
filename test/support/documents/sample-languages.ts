import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { codeBlocks } from './documents.ts';

/** A language in which a document shows how a merchant's server reports a sign-up. */
export interface Language {
  readonly name: string;
  readonly document: string;
  /** Info string of the code block. */
  readonly block: string;
  readonly fileName: string;
  readonly command: string;
  /** Arguments of a call that succeeds if the interpreter and the extensions of the sample are installed. */
  readonly check: readonly string[];
  /** Builds a program from the sample: a sign-up that reports its customer and then prints `signed up`. */
  readonly program: (sample: string) => string;
}

/** The input of a sign-up. */
export interface SignUp {
  readonly baseUrl: string;
  readonly token: string;
  readonly customer: { readonly id: string; readonly email: string };
  /** The cookie as the merchant's framework parses it: null if it is missing, and not always a string. */
  readonly grId: unknown;
  readonly timeoutMs: number;
}

const JAVASCRIPT: Language = {
  name: 'JavaScript',
  document: 'docs/script.md',
  block: 'js',
  fileName: 'sign-up.mjs',
  command: process.execPath,
  check: ['--version'],
  program: (sample) => `${sample}
const { ID: id, EMAIL: email, GR_ID, TIMEOUT_MS } = process.env;
await reportSignUp({ id, email }, JSON.parse(GR_ID), Number(TIMEOUT_MS));
console.log('signed up');
`,
};
const CLIENT: Language = { ...JAVASCRIPT, name: 'JavaScript with the client', document: 'client/README.md' };
/** Defines the variables that the example of the README uses. */
export const README: Language = {
  ...JAVASCRIPT,
  name: 'the README',
  document: 'README.md',
  program: (sample) => `const customer = { id: process.env.ID, email: process.env.EMAIL };
const grId = JSON.parse(process.env.GR_ID);
${sample}
console.log('signed up');
`,
};
const PYTHON: Language = {
  name: 'Python',
  document: 'docs/script.md',
  block: 'python',
  fileName: 'sign_up.py',
  command: 'python3',
  check: ['--version'],
  program: (sample) => `${sample}
from types import SimpleNamespace

env = os.environ
customer = SimpleNamespace(id=env["ID"], email=env["EMAIL"])
report_sign_up(customer, json.loads(env["GR_ID"]), float(env["TIMEOUT_MS"]) / 1000)
print("signed up")
`,
};
const PHP: Language = {
  name: 'PHP',
  document: 'docs/script.md',
  block: 'php',
  fileName: 'sign-up.php',
  command: 'php',
  check: ['-r', 'exit(extension_loaded("curl") ? 0 : 1);'],
  program: (sample) => `<?php
${sample}
$customer = (object) ['id' => getenv('ID'), 'email' => getenv('EMAIL')];
reportSignUp($customer, json_decode(getenv('GR_ID'), true), (int) getenv('TIMEOUT_MS'));
echo "signed up\\n";
`,
};

const isInstalled = ({ command, check }: Language) => spawnSync(command, check).status === 0;

/**
 * The languages to test: JavaScript always, the others if they are installed. `SAMPLES=all`, which CI sets, selects
 * all of them, so that a missing interpreter fails there.
 */
export function languagesToTest(): Language[] {
  const others = [PYTHON, PHP];
  return [
    JAVASCRIPT,
    CLIENT,
    ...others.filter((language) => process.env['SAMPLES'] === 'all' || isInstalled(language)),
  ];
}

/**
 * Runs a sign-up with the sample of a language. `modules` is a folder `node_modules` with the client. Returns the exit
 * status, the output and the log.
 */
export async function runSignUp(language: Language, modules: string, { customer, ...signUp }: SignUp) {
  const samples = codeBlocks(language.document, language.block).filter((code) => code.includes('gr_id'));
  if (samples.length !== 1) throw new Error(`${language.document} has ${samples.length} samples in ${language.name}.`);
  const folder = await mkdtemp(join(tmpdir(), 'sample-'));
  try {
    const file = join(folder, language.fileName);
    await symlink(modules, join(folder, 'node_modules'));
    await writeFile(file, language.program(samples.join('')));
    const { PATH = '' } = process.env;
    const child = spawn(language.command, [file], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Only guards against hanging: no process may outlive a failed test.
      timeout: 100_000,
      env: {
        PATH,
        BASE_URL: signUp.baseUrl,
        PROGRAM_TOKEN: signUp.token,
        ID: customer.id,
        EMAIL: customer.email,
        GR_ID: JSON.stringify(signUp.grId),
        TIMEOUT_MS: String(signUp.timeoutMs),
      },
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
