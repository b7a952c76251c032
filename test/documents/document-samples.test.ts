import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { transform } from 'esbuild';
import { codeBlocks } from '../support/documents/documents.ts';

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'client/README.md', ...globSync('docs/*.md')];

/** Returns the errors of a parser in each sample of a language. Each document with samples is one case. */
const samplesIn = (language: string) =>
  DOCUMENTS.flatMap((document) => codeBlocks(document, language).map((code) => ({ document, code })));

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
    const texts = [...DOCUMENTS, ...globSync('bin/admin/**/*.ts')].map((file) => readFileSync(file, 'utf8'));
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
