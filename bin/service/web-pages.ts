import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { PageFile, ReadPage, StaticFile } from '../../functions/pages/http/static-file.ts';
import { SCRIPT } from '../../functions/pages/script.js';
import * as DASHBOARD from '../../web/words/dashboard/shell.ts';
import * as PORTAL from '../../web/words/portal/shell.ts';

const PROJECT = join(import.meta.dirname, '../..');
const WEB = join(PROJECT, 'web');
/** Without stale-if-error=0, CloudFront sends an older file while the service does not respond. */
const REVALIDATED = 'no-cache, stale-if-error=0';

/** The sites that may show a page in a frame. The portal only reads what the given token reads. */
const PAGES = {
  portal: {
    source: 'portal',
    title: PORTAL.title,
    frameAncestors: "'self' https: http://localhost:* http://127.0.0.1:*",
  },
  // The same page, on which somebody can sign in.
  account: { source: 'portal', title: PORTAL.title, frameAncestors: "'none'" },
  dashboard: { source: 'dashboard', title: DASHBOARD.title, frameAncestors: "'self'" },
};

export function pagesBuiltOnUse(): ReadPage {
  const files = new Map<PageFile, Promise<string>>();
  return (name) => {
    const file = files.get(name) ?? buildPage(name).then((built) => JSON.stringify(built));
    files.set(name, file);
    return file;
  };
}

export async function buildPage(name: PageFile): Promise<StaticFile> {
  if (name === 'script') return scriptFile(SCRIPT);
  if (name === 'llms') return textFile(await readFile(join(PROJECT, 'llms.txt'), 'utf8'));
  return name === 'portal-script' ? scriptFile(await bundle('portal-element.ts', 2018)) : buildHtml(name);
}

async function buildHtml(name: keyof typeof PAGES): Promise<StaticFile> {
  const { source, title, frameAncestors } = PAGES[name];
  const [script, style, template] = await Promise.all([
    bundle(`${source}/main.tsx`),
    bundle(`${source}/${source}.css`),
    readFile(join(WEB, 'kit/page.html'), 'utf8'),
  ]);
  const text = template
    .replace('<!-- title -->', title)
    .replace('<!-- style -->', () => `<style>${style}</style>`)
    .replace('<!-- script -->', () => `<script>${script}</script>`);
  const policy = {
    'default-src': "'none'",
    'script-src': hashOf(script),
    'style-src': hashOf(style),
    'connect-src': "'self'",
    'img-src': "data: 'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': frameAncestors,
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  };
  return fileOf(text, REVALIDATED, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': Object.entries(policy)
      .map((directive) => directive.join(' '))
      .join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  });
}

function scriptFile(text: string): StaticFile {
  // A browser sends no request for a day, and then revalidates in the background for a week (RFC 5861 section 3).
  return fileOf(text, 'public, max-age=86400, stale-while-revalidate=604800', {
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
    // Cross-origin isolated pages load only resources with this header.
    'cross-origin-resource-policy': 'cross-origin',
  });
}

function textFile(text: string): StaticFile {
  return fileOf(text, REVALIDATED, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
}

async function bundle(path: string, ecma: 2018 | 2022 = 2022): Promise<string> {
  // Imported on first use, so that the start of the local service does not wait for them.
  const [{ buildSync }, { minifySync }] = await Promise.all([import('esbuild'), import('@swc/core')]);
  // Unlike `build`, it leaves no process running.
  const { outputFiles } = buildSync({
    entryPoints: [join(WEB, path)],
    bundle: true,
    minify: true,
    format: 'iife',
    target: `es${ecma}`,
    charset: 'utf8',
    // Smaller than the automatic transform, whose properties contain the children.
    jsx: 'transform',
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
    inject: path.endsWith('.tsx') ? [join(WEB, 'kit/jsx.ts')] : [],
    tsconfigRaw: {},
    write: false,
  });
  const text = outputFiles.map((file) => file.text).join('');
  if (path.endsWith('.css')) return text;
  // It inlines what is used once, which esbuild does not: a page is 6% smaller after gzip.
  return minifySync(text, {
    compress: { passes: 3, pure_getters: true, unsafe_arrows: true },
    mangle: { toplevel: true },
    ecma,
  }).code;
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function fileOf(text: string, cacheControl: string, content: StaticFile['content']): StaticFile {
  const tag = createHash('sha256').update(JSON.stringify(content)).update(text).digest('base64url').slice(0, 22);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  return {
    // The ETag is weak, because the text and its compressed forms share it (RFC 9110 section 8.8.1).
    caching: { 'cache-control': cacheControl, etag: `W/"${tag}"`, vary: 'accept-encoding' },
    content,
    text,
    compressed: {
      br: brotliCompressSync(text, { params: quality }).toString('base64'),
      gzip: gzipSync(text, { level: 9 }).toString('base64'),
    },
  };
}
