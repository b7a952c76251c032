import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { basename, matchesGlob } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROUTES, routeKey } from '../../functions/routes.ts';
import { codeBlocks, documentText, sectionOf } from '../support/documents/documents.ts';

const IGNORED = new Set(['.git', '.local', 'cdk.out', 'coverage', 'dist', 'node_modules']);
const FILES = globSync(['**', '.github/**'], { exclude: (path) => IGNORED.has(basename(path)) });
const DOCUMENTS = FILES.filter((file) => file.endsWith('.md'));

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(path: string): string[] {
  return [...documentText(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** The path in the repository of a document's relative link. */
function targetOf(document: string, link: string): string {
  const { pathname } = new URL(link, `https://repository/${document}`);
  return pathname === `/${document}` ? document : pathname.slice(1);
}

const isFileOrFolder = (path: string) => FILES.some((file) => file === path || file.startsWith(`${path}/`));

describe.each(DOCUMENTS)('%s', (document) => {
  // Code blocks contain no links.
  const text = documentText(document).replace(/^```.*?^```$/gms, '');

  test('the document has only relative links with an existing target', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      if (/^https:/.test(link)) return false;
      const target = targetOf(document, link);
      const [, anchor] = link.split('#');
      return !isFileOrFolder(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  test('the document links only files that exist', () => {
    const names = [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);
    const paths = names.filter((name) =>
      /^(?:bin|client|docs|functions|lib|test|web|\.github)\/[\w./<>-]+$/.test(name),
    );
    // `<name>` is a placeholder for any name.
    const missing = paths.filter((path) => {
      const pattern = path.replace(/<\w+>/g, '*').replace(/\/$/, '');
      return !FILES.some((file) => matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`));
    });
    expect(missing).toEqual([]);
  });

  test('the document contains only npm scripts that exist', () => {
    const { scripts } = JSON.parse(documentText('package.json'));
    const named = [...documentText(document).matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

test.each(['CONTRIBUTING.md', 'docs/design.md'])('%s contains only identifiers that occur in the code', (document) => {
  const code = FILES.filter((file) => /^(?:bin|client|functions|lib|test|web)\/.*\.ts$/.test(file)).map(documentText);
  const identifiers = [...documentText(document).matchAll(/`([a-z]+[A-Z]\w*|[A-Z]\w{3,})`/g)].map(
    ([, name = '']) => name,
  );
  expect(identifiers.filter((name) => !code.some((text) => text.includes(name)))).toEqual([]);
});

test('the README has at most 160 lines', () => {
  expect(documentText('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(160);
});

test('the README and docs/script.md embed the script in the same way', () => {
  expect(codeBlocks('README.md', 'html')).toEqual(codeBlocks('docs/script.md', 'html'));
});

test('the Content-Security-Policy in docs/script.md allows exactly the inline line of its snippet', () => {
  const [snippet = ''] = codeBlocks('docs/script.md', 'html');
  const inlineScripts = [...snippet.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
  const hashes = inlineScripts.map((script) => createHash('sha256').update(script).digest('base64'));
  expect(hashes).toHaveLength(1);

  const [policy = ''] = codeBlocks('docs/script.md', 'text');
  const directives = new Map(
    policy.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      return [name, sources];
    }),
  );
  expect(directives).toEqual(
    new Map([
      ['script-src', [`'sha256-${hashes[0]}'`, 'https://api.example.com']],
      ['connect-src', ['https://api.example.com']],
    ]),
  );
});

test('docs/api.md lists the rate limit of each route', () => {
  const rows = [...sectionOf('docs/api.md', 'Rate limits').matchAll(/^\| `(.*)` +\| (\d+) +\| (\d+) +\|$/gm)];
  const limits = Object.values(ROUTES).map((route) => [routeKey(route), route.throttle.rate, route.throttle.burst]);
  const listed = rows.map(([, route, rate, burst]) => [route, Number(rate), Number(burst)]);
  expect(listed.toSorted()).toEqual(limits.toSorted());
});
