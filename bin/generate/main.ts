import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { scriptFiles } from './script.ts';
import { validatorFiles } from './validators.ts';

// Writes every generated file. With `--check`, writes nothing and fails if a file is out of date.
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

// The document is imported last, because its error sentences come from the validators just written.
for (const generate of [validatorFiles, scriptFiles, async () => (await import('./openapi.ts')).openapiFiles()]) {
  for (const [path, text] of Object.entries(await generate())) {
    if (!values.check) {
      await writeFile(path, text);
      console.log(`wrote ${path}`);
    } else if (text !== (await readFile(path, 'utf8').catch(() => undefined))) {
      console.error(`${path} is out of date. Run npm run generate and commit the result.`);
      process.exitCode = 1;
    }
  }
}
