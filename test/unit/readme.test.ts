import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { codeBlocksOfStep } from '../support/readme.ts';

test('the Content-Security-Policy in the README allows exactly the inline line of its snippet', () => {
  const [snippet = ''] = codeBlocksOfStep(2, 'html');
  const inlineScripts = [...snippet.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
  const hashes = inlineScripts.map((script) => createHash('sha256').update(script).digest('base64'));
  expect(hashes).toHaveLength(1);

  const [policy = ''] = codeBlocksOfStep(2, 'text');
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
