import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Command } from 'commander';
import { InvalidField } from '../functions/domain/errors.ts';
import { endingOf, Failure } from './admin/errors.ts';
import { buildScript } from './generate/script.ts';

/** What a script for every page of a shop may weigh when compressed, in bytes. */
const MAX_BYTES = 2048;
const BESIDE = `

It takes the service to be beside it: where your server does not pass /v2 on, add --base-url.`;

/** Writes the tracking script to a file, for merchants who host it themselves. */
const command = new Command('npm run build:script --')
  .description(
    'Writes the tracking script to a file for your own server. Name the base URL, unless your server passes /v2 on to the service.',
  )
  .option('--base-url <address>', 'where the service is (else where the script itself is served)')
  .option('--out <file>', 'the file to write', 'dist/gr.js')
  .configureOutput({ outputError: () => undefined })
  .exitOverride();

try {
  const { baseUrl, out } = command.parse().opts<{ baseUrl?: string; out: string }>();
  const script = await buildScript(baseUrl === undefined ? '' : serviceAddress(baseUrl));
  await write(out, script);
  const bytes = gzipSync(script, { level: 9 }).length;
  console.log(`Wrote ${out}, ${bytes} bytes when compressed. In your pages:

<script>window.gr=window.gr||function(){(gr.q=gr.q||[]).push(arguments)}</script>
<script async src="/${basename(out)}" data-pk="pk_…"></script>${baseUrl === undefined ? BESIDE : ''}`);
  if (bytes > MAX_BYTES) {
    console.error(`The script has more than ${MAX_BYTES} bytes when compressed: a shorter --base-url saves some.`);
  }
} catch (error) {
  const { sentence, status } = endingOf(error);
  if (sentence !== undefined) console.error(sentence);
  process.exitCode = status;
}

/** The base URL with a slash at its end, so that paths can be put behind it. Throws `InvalidField`. */
function serviceAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || /[?#@]/.test(text)) {
    throw new InvalidField('base-url', 'must be an http or https address such as https://api.example.com');
  }
  return url.href.replace(/\/*$/, '/');
}

async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch {
    throw new Failure('--out is no file that can be written.');
  }
}
