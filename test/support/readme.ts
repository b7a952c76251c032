import { readFileSync } from 'node:fs';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The code blocks of a language in one of the numbered steps of the README's section "Use it". */
export function codeBlocksOfStep(step: 1 | 2 | 3 | 4, language: string): string[] {
  return [...textOfStep(step).matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, code = '']) =>
    name === language ? [code] : [],
  );
}

/** The text of a step, up to the next step or heading. */
function textOfStep(step: number): string {
  const [, rest = ''] = README.split(`\n**${step}. `);
  const [text = ''] = rest.split(/\n(?:\*\*\d\. |#{2,} )/);
  return text;
}
