import { join } from 'node:path';
import { build } from 'esbuild';
import type { GeneratedFile } from './main.ts';

const ENTRY = join(import.meta.dirname, '../../web/gr.ts');
const NOTICE = '// Made by `npm run generate` of web/gr.ts. Not to be edited.\n';

/** The tracking script as a module, so that it goes into the bundle of the function that serves it. */
export async function scriptFiles(): Promise<GeneratedFile[]> {
  const script = JSON.stringify(await buildScript(''));
  return [
    { path: 'functions/tracking/script.js', text: `${NOTICE}export const SCRIPT =\n  ${script};\n` },
    { path: 'functions/tracking/script.d.ts', text: `${NOTICE}export const SCRIPT: string;\n` },
  ];
}

/**
 * The tracking script as one classic script. `baseUrl`: where the service is, with a slash at its end; `''` where the
 * script is to find that in its own address.
 */
export async function buildScript(baseUrl: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2018',
    define: { BASE_URL: JSON.stringify(baseUrl) },
    // Nothing of the project's settings would change the script but "use strict", which costs more than it gives.
    tsconfigRaw: {},
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('');
}
