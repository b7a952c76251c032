import { readFileSync } from 'node:fs';

/** The text of a document, by its path in the repository. */
export function documentText(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

/** The text of a file in docs/samples. */
export const sampleText = (name: string): string => documentText(`docs/samples/${name}`);

/** The code blocks of a language in a document, in their order. */
export function codeBlocks(path: string, language: string): string[] {
  return [...documentText(path).matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, code = '']) =>
    name === language ? [code] : [],
  );
}

/** The text of a section of a document, from its heading up to the next heading. */
export function sectionOf(path: string, heading: string): string {
  const [, rest = ''] = documentText(path).split(`\n## ${heading}\n`);
  const [text = ''] = rest.split('\n## ');
  return text;
}
