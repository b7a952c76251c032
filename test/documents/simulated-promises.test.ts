import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { PROMISES } from '../simulation/knowledge.ts';

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);
const NAMES = Object.keys(PROMISES).sort();

test('The contract names each promise that the simulation checks beside its sentence', () => {
  const common = read('contract.md').split('## Vocabulary')[1] ?? '';
  const contract = [common, ...globSync('docs/contract/*.md').map((path) => readFileSync(path, 'utf8'))].join('\n');
  expect(namesIn(contract, /`\[([a-z-]+)\]`/g).sort()).toEqual(NAMES);
});
