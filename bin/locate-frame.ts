import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { FUNCTION_BUNDLE } from './service/function-bundle.ts';

// Prints where a position in a deployed bundle comes from. The log has positions in bundles, whose names are shortened.
// The bundle is built again, so the working copy must be the deployed commit.

const [entry, position] = process.argv.slice(2);
const [line, column] = (position ?? '').split(':').map(Number);
if (entry === undefined || !line || !column) {
  console.error('Name the function and the position in index.js: npm run locate lambdas/tracking.ts 21:13839');
  process.exit(2);
}
const folder = join(FUNCTION_BUNDLE.absWorkingDir, 'functions');
const { outputFiles } = await build({
  ...FUNCTION_BUNDLE,
  entryPoints: [join(folder, entry)],
  outfile: 'index.js',
  sourcemap: 'external',
  sourcesContent: false,
  write: false,
});
const map = outputFiles.find(({ path }) => path.endsWith('.map'));
const found = new SourceMap(JSON.parse(map?.text ?? '')).findEntry(line - 1, column - 1);
if (!('originalSource' in found)) {
  console.error('The bundle has no such position.');
  process.exit(1);
}
console.log(`${found.originalSource}:${found.originalLine + 1}:${found.originalColumn + 1}`);
