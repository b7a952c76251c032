import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openapiDocument } from '../../../bin/generate/openapi.ts';
import { ROUTES } from '../../../functions/routes.ts';
import { BODY_TARGETS, invalidBodies } from '../../support/bad-bodies.ts';
import { LONG_DOMAIN } from '../../support/bad-values.ts';
import { program } from '../../unit/samples.ts';

const ajv = new Ajv2020({ strict: false }).addSchema(openapiDocument(), 'openapi');

describe.each(BODY_TARGETS)('the OpenAPI document: $name', (target) => {
  const { method, path } = ROUTES[target.operation];
  const pointer = `/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method.toLowerCase()}`;
  const matches = ajv.getSchema(`openapi#${pointer}/requestBody/content/application~1json/schema`);
  const valid = target.validBody({ publicKey: program.publicKey, slug: 'jane-doe' });

  test('the valid body is valid', () => {
    expect(matches?.(valid)).toBe(true);
  });

  test('each invalid body is invalid', () => {
    for (const { bodies } of invalidBodies(target)) {
      for (const body of bodies(valid).filter((each) => Object(each).email !== LONG_DOMAIN)) {
        expect([body, matches?.(body)]).toEqual([body, false]);
      }
    }
  });
});
