import { globSync, readFileSync } from 'node:fs';

// Part of `npm run check`: finds words in documents, comments, messages and names of tests that point backwards, so that
// a sentence has to be read twice. Prints the place of each, and what to write.

const REPEAT = 'repeat the noun';

/** Words that make a sentence hard to read, with what to write. A space also matches the end of a line in a comment. */
const PATTERNS: readonly (readonly [words: string, advice: string])[] = [
  ['(?:that|those) of', REPEAT],
  ['those (?:that|which|who|whose|in|from|with|without|after|before|where)', REPEAT],
  ['the ones? (?:before|after|of|in|with|that|which)', REPEAT],
  ['ones? that (?:is|are|was|were|has|have|had|can|cannot|does|did|do)', REPEAT],
  ['the (?:former|latter)', REPEAT],
  ['(?:(?<=,\\s+)too(?! (?:few|long|many|much|large|small))|(?<=\\s)too(?=[.,;:)]))', 'write "also" before the verb'],
  ['the (?:first|last|next) one that', REPEAT],
  ['in the meantime', 'write "meanwhile", or say when'],
  ['at once', 'write "immediately", "simultaneously" or "together"'],
];

const FILES = ['*.md', 'docs/**/*.md', 'client/*.md', '{bin,lib,functions,web,client,test}/**/*.{ts,tsx,html,js,css}'];
const isExcluded = (file: string) => /node_modules\/|\/validators\.js$|\/dist\/|^test\/language\.ts$/.test(file);

/** The start of a line in a comment, a list or a quotation. */
const LINE_START = String.raw`\s*\n[\s*/>-]*`;

let hits = 0;
for (const file of globSync(FILES).filter((name) => !isExcluded(name))) {
  const text = readFileSync(file, 'utf8');
  for (const [words, advice] of PATTERNS) {
    const pattern = new RegExp(`(?<!\\w)${words.replaceAll(' ', `(?: +|${LINE_START})`)}(?!\\w)`, 'gim');
    for (const { 0: found, index } of text.matchAll(pattern)) {
      const line = text.slice(0, index).split('\n').length;
      console.error(`${file}:${line}: "${found.replace(/\s+/g, ' ')}": ${advice}`);
      hits += 1;
    }
  }
}
if (hits > 0) process.exitCode = 1;
