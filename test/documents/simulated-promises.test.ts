import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { PROMISES } from '../simulation/knowledge.ts';

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);
const NAMES = Object.keys(PROMISES).sort();

test('docs/contract.md names each promise that the simulation checks beside its sentence', () => {
  const contract = read('contract.md').split('## Vocabulary')[1] ?? '';
  expect(namesIn(contract, /`\[([a-z-]+)\]`/g).sort()).toEqual(NAMES);
});

test('docs/reliability.md lists each promise that the simulation checks', () => {
  expect(namesIn(read('reliability.md'), /^\| `([a-z-]+)`/gm).sort()).toEqual(NAMES);
});
