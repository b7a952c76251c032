import { describe, expect, test } from '@jest/globals';
import { openapiDocument } from '../../../bin/generate/openapi.ts';
import { MAX_NAME, MAX_SUB_ID, MAX_UID } from '../../../functions/domain/fields.ts';
import { TRANSITIONS } from '../../../functions/domain/referral/state.ts';
import { CORS } from '../../../functions/routes.ts';

describe('the sections of the contract in the description', () => {
  const description = String(Object(openapiDocument()['info'])['description']);
  const codeSpans = (text: string) => text.match(/`[^`]+`/g)?.map((span) => span.slice(1, -1)) ?? [];

  test('the description lists exactly the transitions between states', () => {
    const rows = /## States\n([^#]*)/.exec(description)?.[1]?.match(/^\| (?:`|–).*$/gm) ?? [];
    const documented = rows.map((row) => {
      const [, from = '', to = ''] = row.split('|');
      return {
        from: [...(from.includes('–') ? [null] : []), ...codeSpans(from)],
        to: codeSpans(to)[0],
        restores: /if/.test(from),
      };
    });
    expect(documented).toEqual(TRANSITIONS.map(({ from, to, restores = false }) => ({ from, to, restores })));
  });

  test('the description lists exactly the methods and headers of CORS', () => {
    const section = /## CORS\n([^#]*)/.exec(description)?.[1] ?? '';
    expect(codeSpans(section)).toEqual([...CORS.methods, ...CORS.requestHeaders, ...CORS.responseHeaders]);
  });

  test('the description contains no links: the document stands alone', () => {
    expect(description).not.toContain('](');
  });

  test('the description contains the limits of texts', () => {
    expect(description).toContain(`\`uid\` and \`sub_id\`**: 1 to ${MAX_UID} characters`);
    expect(MAX_SUB_ID).toBe(MAX_UID);
    expect(description).toContain(`**Names**: at most ${MAX_NAME} characters`);
  });
});
