import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Command } from 'commander';
import { buildScript } from './generate/script.ts';

// Writes the tracking script to a file, for merchants who host it themselves.

/** Compressed size in bytes above which the script warns: every page of a shop loads it. */
const MAX_BYTES = 2300;
const RELATIVE = `

Without --base-url, the script calls /v2 in the folder that it is loaded from: from https://shop.example/js/gr.js it calls
https://shop.example/js/v2/… Your server must forward these requests to the service.`;

const command = new Command('npm run build:script --')
  .description('Writes the tracking script to a file that your own server can serve.')
  .option('--base-url <url>', 'base URL of the service (default: the folder that the script is loaded from)')
  .option('--out <file>', 'file to write', 'dist/gr.js')
  .showHelpAfterError('Run with --help to see the options.')
  // Invalid arguments end with status 2, as in ./referrals.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

const { baseUrl, out } = command.parse().opts<{ baseUrl?: string; out: string }>();
const script = await buildScript(baseUrl === undefined ? '' : withSlash(baseUrl));
try {
  await mkdir(dirname(out), { recursive: true });
  await writeFile(out, script);
} catch {
  console.error('The file named by --out cannot be written. Choose another one.');
  process.exit(1);
}
const bytes = gzipSync(script, { level: 9 }).length;
console.log(`Wrote ${out}, ${bytes} bytes when compressed. Add it to your pages:

<script>window.gr=window.gr||function(){(gr.q=gr.q||[]).push(arguments)}</script>
<script async src="/${basename(out)}" data-pk="pk_…"></script>${baseUrl === undefined ? RELATIVE : ''}`);
if (bytes > MAX_BYTES) {
  console.error(`The script has more than ${MAX_BYTES} bytes when compressed. A shorter --base-url makes it smaller.`);
}

/** Returns the base URL with a slash at its end, ready to append paths. Exits with status 2 if it is invalid. */
function withSlash(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !/[?#@]/.test(text)) return url.href.replace(/\/*$/, '/');
  return command.error('error: --base-url must be an http or https URL, for example https://api.example.com.');
}
