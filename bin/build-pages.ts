import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PAGE_FILES } from '../functions/pages/http/static-file.ts';
import { buildPage } from './service/web-pages.ts';

// Writes the pages into a folder, beside the bundle of the function that serves them (lib/api/service-function.ts).

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Name the folder to write to: node bin/build-pages.ts <folder>');
  process.exit(2);
}
await mkdir(folder, { recursive: true });
for (const name of PAGE_FILES) await writeFile(join(folder, `${name}.json`), JSON.stringify(await buildPage(name)));
