import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { llmsFiles } from './llms.ts';
import { scriptFiles } from './script.ts';
import { validatorFiles } from './validators.ts';

// Writes every generated file, as npm install does: of these, git has only openapi.json and llms.txt. With `--check`, writes nothing and fails if a file is out of date.
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

// The documents are imported last, because the sentences of errors come from the validators just written.
const generators = [
  validatorFiles,
  scriptFiles,
  async () => (await import('./openapi.ts')).openapiFiles(),
  async () => (await import('./tools.ts')).toolFiles(),
  llmsFiles,
];
for (const generate of generators) {
  for (const [path, text] of Object.entries(await generate())) {
    if (!values.check) {
      await writeFile(path, text);
      console.log(`wrote ${path}`);
    } else if (text !== (await readFile(path, 'utf8').catch(() => undefined))) {
      console.error(`${path} is out of date. Run npm run generate.`);
      process.exitCode = 1;
    }
  }
}
