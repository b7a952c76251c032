import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { generatedFiles } from './files.ts';

/** Writes every file that is made of the sources; with `--check` writes nothing and fails where one differs. */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const files = await generatedFiles();

if (values.check) {
  const kept = await Promise.all(files.map(({ path }) => readFile(path, 'utf8').catch(() => undefined)));
  const different = files.filter(({ text }, index) => text !== kept[index]).map(({ path }) => path);
  if (different.length > 0) {
    console.error(`Not as their sources say: ${different.join(', ')}. Run npm run generate and commit what it writes.`);
    process.exitCode = 1;
  }
} else {
  for (const { path, text } of files) {
    await writeFile(path, text);
    console.log(`wrote ${path}`);
  }
}
