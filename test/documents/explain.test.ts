import { expect, test } from '@jest/globals';
import { RULES } from '../../functions/explain/rules/verdicts.ts';
import { sectionOf } from '../support/documents/documents.ts';

test('docs/explain.md has the table of verdicts as the code has it', () => {
  const rows = [...sectionOf('docs/explain.md', 'Verdicts').matchAll(/^\| `(\w+)` *\| (.+?) *\|$/gm)];
  expect(rows.map(([, verdict, advice]) => ({ verdict, advice }))).toEqual(
    RULES.map(({ verdict, advice }) => ({ verdict, advice })),
  );
});
