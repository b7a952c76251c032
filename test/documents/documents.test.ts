import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, matchesGlob } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { transform } from 'esbuild';
import { INFO } from '../../bin/generate/openapi.ts';
import client from '../../client/package.json' with { type: 'json' };
import { ADVOCATE_FIELDS } from '../../functions/kernel/accounts/rules/advocate-fields.ts';
import { INDEXES } from '../../functions/kernel/dynamodb/schema.ts';
import { type FieldList, namesIn } from '../../functions/kernel/fields/field-list.ts';
import { TOOLS } from '../../functions/mcp/http/tools.js';
import { REFERRAL_FIELDS } from '../../functions/referrals/rules/referral-fields.ts';
import project from '../../package.json' with { type: 'json' };
import { PROMISES } from '../simulation/knowledge.ts';
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

/** The texts that name every field of some forms. */
const FIELD_TEXTS = [
  ['Resources', ['v1', 'v2', 'affiliate', 'merchant', 'details'], sectionOf('docs/contract.md', 'Resources')],
  ['events', ['event'], documentText('docs/webhooks.md')],
] as const;

describe('The fields of referrals and advocates', () => {
  test.each(FIELD_TEXTS)('the text on %s contains the name of each field', (_, forms, text) => {
    const names = [REFERRAL_FIELDS, ADVOCATE_FIELDS].flatMap((fields: FieldList) =>
      forms.flatMap((form) => namesIn(fields, form)),
    );
    expect(names).toContain('uid');
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  });
});

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
  const code = FILES.filter((file) => /^(?:bin|client|functions|lib|test|web)\/.*\.tsx?$/.test(file)).map(documentText);
  const identifiers = [...documentText(document).matchAll(/`([a-z]+[A-Z]\w*|[A-Z]\w{3,})`/g)].map(
    ([, name = '']) => name,
  );
  expect(identifiers.filter((name) => !code.some((text) => text.includes(name)))).toEqual([]);
});

test('docs/design.md lists each index of the table', () => {
  const rows = [...sectionOf('docs/design.md', 'The table').matchAll(/^\| `(by_\w+)` +\|/gm)].map(([, name]) => name);
  expect(rows).toEqual(Object.keys(INDEXES));
});

test('the project has one version: in the client, the OpenAPI document and the newest release of CHANGELOG.md', () => {
  const [, released] = /^## (\d\S+) [-–] \d{4}-\d\d-\d\d$/m.exec(documentText('CHANGELOG.md')) ?? [];
  expect([client.version, INFO.version, released]).toEqual(Array(3).fill(project.version));
});

test('llms.txt lists the documents of the README with their purposes and words, in at most 60 lines', () => {
  const text = documentText('llms.txt');
  const rows = sectionOf('README.md', 'Documents').match(/^- .+$/gm) ?? [];
  const listed = rows.flatMap((row) => {
    const [purpose = '', documents = ''] = row.slice('- '.length).split(': ');
    return documents.split(/, (?=\[)/).map((each) => `- ${each.replace(/\)(?= \(|$)/, `): ${purpose}`)}`);
  });
  expect(listed.length).toBeGreaterThan(20);
  expect(sectionOf('llms.txt', 'Documents').trim().split('\n')).toEqual(listed);
  expect(text).toMatch(/^# Referral tracking\n\n> A service that .+\n/);
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
});

test('docs/assistants.md lists each tool with its token, in the order of tools/list', () => {
  const rows = [...sectionOf('docs/assistants.md', 'Tools').matchAll(/^\| `(\w+)` .+ \| (\S.*?) +\|$/gm)];
  expect(rows.map(([, name, token]) => [name, token])).toEqual(
    TOOLS.map(({ name, token, needsEvents }) => [name, needsEvents ? `${token}, \`events=on\`` : token]),
  );
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

test('the contract names each promise that the simulation checks beside its sentence', () => {
  const [, common = ''] = documentText('docs/contract.md').split('## Vocabulary');
  const contract = [common, ...globSync('docs/contract/*.md').map(documentText)].join('\n');
  const named = [...contract.matchAll(/`\[([a-z-]+)\]`/g)].map(([, name]) => name);
  expect(named.sort()).toEqual(Object.keys(PROMISES).sort());
});

const MANUALS = ['README.md', 'CONTRIBUTING.md', 'client/README.md', ...globSync('docs/*.md')];

/** The samples of a language, with their documents. */
const samplesIn = (language: string) =>
  MANUALS.flatMap((document) => codeBlocks(document, language).map((code) => ({ document, code })));

const parseScript = (code: string, loader: 'js' | 'ts') =>
  transform(code, { loader, format: 'esm', logLevel: 'silent' }).then(
    () => undefined,
    (error: Error) => error.message,
  );

describe('samples in the documents', () => {
  test.each(['js', 'ts'] as const)('the samples in %s can be parsed', async (language) => {
    const samples = samplesIn(language);
    const errors = await Promise.all(samples.map(({ code }) => parseScript(code, language)));
    expect(samples.map(({ document }, index) => ({ document, error: errors[index] }))).toEqual(
      samples.map(({ document }) => ({ document, error: undefined })),
    );
    expect(samples.length).toBeGreaterThan(0);
  });

  test('the scripts in html can be parsed', async () => {
    const scripts = samplesIn('html').flatMap(({ code }) =>
      [...code.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script),
    );
    expect(await Promise.all(scripts.map((script) => parseScript(script, 'js')))).toEqual(scripts.map(() => undefined));
    expect(scripts.length).toBeGreaterThan(0);
  });

  test('the tag for Google Tag Manager can be parsed as ES5, which is all it accepts', () => {
    const [tag = ''] = codeBlocks('docs/recipes.md', 'html').filter((code) => code.includes('script.dataset.pk'));
    expect(tag).toContain('document.createElement');
    expect(tag).not.toMatch(/=>|`|\b(?:const|let|class)\b/);
  });

  test('the samples in json can be parsed', () => {
    const samples = samplesIn('json').map(({ code }) => code);
    expect(samples.length).toBeGreaterThan(0);
    for (const code of samples) JSON.parse(code);
  });

  test('no command requests a page or a receiver of a domain that does not exist', () => {
    const texts = [...MANUALS, ...globSync('bin/admin/**/*.ts')].map((file) => readFileSync(file, 'utf8'));
    expect(texts.flatMap((text) => text.match(/--(?:page|url) https?:\/\/[\w.]*\.example\b/g) ?? [])).toEqual([]);
  });

  /** Placeholders are in angle brackets, which the shell would read as redirections. */
  const withoutPlaceholders = (code: string) => code.replace(/<[A-Za-z ]+>/g, 'VALUE');
  const hasBash = spawnSync('bash', ['--version']).status === 0;
  (hasBash || process.env['SAMPLES'] === 'all' ? test : test.skip)('the samples in sh can be parsed', () => {
    const failed = samplesIn('sh').filter(
      ({ code }) => spawnSync('bash', ['-n'], { input: withoutPlaceholders(code) }).status !== 0,
    );
    expect(failed).toEqual([]);
  });
});
