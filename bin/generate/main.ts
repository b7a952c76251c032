import { writeFile } from 'node:fs/promises';
import { validatorFiles } from './validators.ts';

for (const { path, text } of await validatorFiles()) {
  await writeFile(path, text);
  console.log(`wrote ${path}`);
}
