import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineTable } from '../../support/engines/table.ts';

// `npm run engines`: runs the scenarios in all engines, and prints the table of docs/script.md.

/** What is read of jest's JSON. */
interface Results {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

const folder = mkdtempSync(join(tmpdir(), 'engines-'));
const file = join(folder, 'results.json');
// In the order of the list.
const order = '--randomize=false';
const jest = ['--config', 'jest.browser.config.ts', order, '--json', '--outputFile', file, 'browser/engines/'];
const { status } = spawnSync('npm', ['test', '--silent', '--', ...jest], {
  env: { ...process.env, ENGINES: 'all' },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const { testResults }: Results = JSON.parse(readFileSync(file, 'utf8'));
rmSync(folder, { recursive: true });

const results = testResults.flatMap(({ name, assertionResults }) =>
  assertionResults.map(({ title, status: outcome }) => ({ file: name, title, isPassed: outcome === 'passed' })),
);
// Chromium runs all scenarios.
const scenarios = results.filter(({ file: each }) => each.endsWith('/chromium.test.ts')).map(({ title }) => title);
const ran = (scenario: string, engine: string) =>
  results.some(
    ({ file: each, title, isPassed }) =>
      isPassed && title === scenario && each.endsWith(`/${engine.toLowerCase()}.test.ts`),
  );
console.log(engineTable(scenarios, ran));
process.exitCode = status ?? 1;
