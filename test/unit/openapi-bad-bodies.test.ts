import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openapiDocument } from '../../bin/generate/openapi.ts';
import { ROUTES } from '../../functions/routes.ts';
import { BODY_TARGETS, invalidBodies, LONG_DOMAIN } from '../support/bad-bodies.ts';
import { program } from './samples.ts';

const ajv = new Ajv2020({ strict: false }).addSchema(openapiDocument(), 'openapi');

describe.each(BODY_TARGETS)('the OpenAPI document: $name', (target) => {
  const path = ROUTES[target.operation].path.replaceAll('/', '~1');
  const matches = ajv.getSchema(`openapi#/paths/${path}/post/requestBody/content/application~1json/schema`);
  const valid = target.validBody({ publicKey: program.publicKey, slug: 'jane-doe' });

  test('is valid with its valid body', () => {
    expect(matches?.(valid)).toBe(true);
  });

  test.each(invalidBodies(target))('is invalid with $reason', ({ bodies }) => {
    for (const body of bodies(valid).filter((each) => Object(each).email !== LONG_DOMAIN)) {
      expect([body, matches?.(body)]).toEqual([body, false]);
    }
  });
});
