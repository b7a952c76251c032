import { describe, expect, test } from '@jest/globals';
import { OPERATIONS } from '../../bin/generate/operations.ts';
import { ADVOCATES_QUERY } from '../../functions/advocates/schema.ts';
import { advocatesQuery } from '../../functions/advocates/validators.js';
import { parseIdempotencyKey } from '../../functions/domain/conversion.ts';
import { MAX_SUB_ID, parseText } from '../../functions/domain/fields.ts';
import { parsePaging, parseRange, startOf } from '../../functions/http/list.ts';
import { readQuery } from '../../functions/http/query.ts';
import { valid } from '../../functions/http/validation.ts';
import { REFERRALS_QUERY } from '../../functions/referrals/schema.ts';
import { referralsQuery } from '../../functions/referrals/validators.js';
import { ROUTES } from '../../functions/routes.ts';
import { clickInput } from '../../functions/tracking/click.ts';
import { conversionV1 } from '../../functions/tracking/conversion-v1.ts';
import { conversionV2 } from '../../functions/tracking/conversion-v2.ts';
import { stateInput } from '../../functions/tracking/state.ts';
import { CLICK_ID, httpEvent, refusal } from './samples.ts';

const { trackConversionV1, trackConversionV2, setState, trackClick, listAdvocates, listReferrals } = OPERATIONS;
const email = 'visitor@example.com';
const grId = `jane-doe.${CLICK_ID}`;
const LONG = 'x'.repeat(129);
const anyKey = refusal(() => parseIdempotencyKey(''));

/** Expects that an operation's examples of `invalid_field` are what these bodies are refused with, each once. */
function expectExamples(
  { invalidFields }: { readonly invalidFields: readonly string[] },
  read: (body: unknown) => unknown,
  bodies: readonly unknown[],
  ...others: readonly (string | undefined)[]
): void {
  const failedConditions = [...bodies.map((body) => refusal(() => read(body))), ...others];
  expect(invalidFields.toSorted()).toEqual(failedConditions.toSorted());
}

describe('the examples of bad fields are what the fields are refused with', () => {
  test('a conversion of V1', () => {
    const byUid = { email, pk: 'pk_1' };
    const bodies = [
      { gr_id: 'a' },
      { email: 1, gr_id: 'a' },
      { email: 'a@b', gr_id: 'a' },
      { email },
      { email, gr_id: 'jane-doe' },
      { ...byUid, uid: LONG },
      { ...byUid, uid: 'a\n' },
      [],
    ];
    expectExamples(trackConversionV1, conversionV1, bodies, anyKey);
  });

  test('a conversion of V2', () => {
    const bodies = [
      { email },
      { email, affiliate_slug: 'jane doe' },
      { email, gr_id: 'jane-doe' },
      { gr_id: grId },
      { email: 1, gr_id: grId },
      { email: 'a@b', gr_id: grId },
      { uid: LONG, gr_id: grId },
      { uid: 'a\n', gr_id: grId },
      { email, gr_id: grId, sub_id: LONG },
      { email, gr_id: grId, sub_id: 'a\n' },
      [],
    ];
    expectExamples(trackConversionV2, conversionV2, bodies, anyKey);
  });

  test('a change of state', () => {
    const bodies = [
      { email },
      { email, state: 'clicked' },
      { state: 'paid' },
      { email: 1, state: 'paid' },
      { email: 'a@b', state: 'paid' },
      { uid: LONG, state: 'paid' },
      { uid: 'a\n', state: 'paid' },
      [],
    ];
    // Which referral an e-mail and a uid are of, only the table knows.
    expectExamples(setState, stateInput, bodies, 'email and uid must be those of one referral');
  });

  test('a click', () => {
    const pk = 'pk_1';
    const bodies = [
      { gr_id: grId },
      { pk },
      { pk, gr_id: 'jane-doe' },
      { pk, gr_id: grId, sub_id: LONG },
      { pk, gr_id: grId, sub_id: 'a\n' },
      [],
    ];
    const read = (body: unknown) => clickInput({ headers: {} }, body);
    expectExamples(trackClick, read, bodies, 'pk must be the public key of a program');
  });
});

test.each([
  {
    operation: listAdvocates,
    route: ROUTES.listAdvocates,
    schema: ADVOCATES_QUERY,
    validate: advocatesQuery,
  },
  {
    operation: listReferrals,
    route: ROUTES.listReferrals,
    schema: REFERRALS_QUERY,
    validate: referralsQuery,
  },
])('the examples of $route.path are what its parameters are refused with', ({ operation, schema, validate }) => {
  const refuse = (rawQueryString: string) =>
    refusal(() => {
      const query = valid(readQuery(httpEvent({ rawQueryString }), schema), validate);
      parseRange('created_at', query.created_at_gt, query.created_at_lt);
      if ('sub_id_eq' in query) parseText('sub_id_eq', String(query['sub_id_eq']), MAX_SUB_ID);
      return startOf(parsePaging(query), 'the list');
    });
  const failedConditions = [
    'page=0',
    'page=1.0',
    'per_page=51',
    'per_page=1&per_page=1',
    'created_at_gt=2026-02-30',
    'created_at_lt=%zz',
    'page=1&cursor=a',
    'cursor=a',
    ...(operation === listReferrals ? ['state_eq=new', 'sub_id_eq=', 'sub_id_eq=%0a'] : []),
  ].map(refuse);
  expect(operation.invalidFields.toSorted()).toEqual(failedConditions.toSorted());
});
