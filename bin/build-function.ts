import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { FUNCTION_BUNDLE } from './service/function-bundle.ts';

// Writes everything that Lambda gets into a folder: a function's bundle, and the module that Lambda loads.

const [entry, folder] = process.argv.slice(2);
if (entry === undefined || folder === undefined) {
  console.error(
    'Name the function and the folder to write to: node bin/build-function.ts lambdas/tracking.ts <folder>',
  );
  process.exit(2);
}
const functions = join(import.meta.dirname, '../functions');
await build({
  ...FUNCTION_BUNDLE,
  entryPoints: [join(functions, entry)],
  outfile: join(folder, 'index.js'),
  logLevel: 'warning',
});
await copyFile(join(functions, 'lambdas/entry.mjs'), join(folder, 'entry.mjs'));
