import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import client from '../../client/package.json' with { type: 'json' };
import { importsOf } from '../unit/sources.ts';

const FOLDER = new URL('../../client/src/', import.meta.url);
const WRITTEN = readdirSync(FOLDER).filter((name) => name !== 'openapi.ts');
const sourceOf = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');

test('the code that is not generated has at most 240 lines', () => {
  const lines = WRITTEN.flatMap((name) => sourceOf(name).split('\n'));
  const code = lines.filter((line) => !/^\s*(?:$|\/\/|\/\*|\*)/.test(line));
  expect(code.length).toBeLessThanOrEqual(240);
});

test('the client imports its only dependency, and nothing of Node or of the service', () => {
  const imports = WRITTEN.flatMap((name) => importsOf(`client/src/${name}`, sourceOf(name)));
  const own = ['openapi.ts', 'renew-cookie.ts', 'send.ts'].map((name) => `client/src/${name}`);
  expect(new Set(imports)).toEqual(new Set(['openapi-fetch', ...own]));
  expect(Object.keys(client.dependencies)).toEqual(['openapi-fetch']);
});
