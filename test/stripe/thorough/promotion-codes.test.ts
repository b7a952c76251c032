import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eraseAdvocate, updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import { putCode } from '../../../functions/codes/table/put-code.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { parseCodeItem } from '../../../functions/kernel/accounts/table/codes.ts';
import { codeCountKey, codeKey, emailKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { readApiVersion } from '../../../functions/stripe/table/api-version.ts';
import { applyStripeEvent } from '../../../functions/stripe/table/apply-event.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { aCheckout, anInvoice, aPromotion, type EventFields } from '../../support/stripe/stripe.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { anEmail } from '../../support/table/track.ts';
import { itemAt, itemsOf } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
let program: Program;
let jane: Advocate;
let omar: Advocate;
beforeEach(async () => {
  program = await aProgram(table);
  [jane, omar] = [await anAdvocate(table, program), await anAdvocate(table, program)];
});

const send = (event: unknown, on = table) => applyStripeEvent(on, program, event);
const TRANSACTION = 'TransactWriteItemsCommand';
const KINDS = ['created', 'updated'] as const;
const CODE = { applied: 'code' };
const KNOWN = { ignored: 'nothing_to_do' };

/** The promotion code JANE20 of Stripe. */
const promotion = (changes: Partial<Parameters<typeof aPromotion>[1]> = {}, kind: 'created' | 'updated' = 'created') =>
  aPromotion(kind, { promotion: 'promo_jane', code: 'JANE20', slug: jane.slug, ...changes });
/** A code of an advocate, and its id at Stripe. */
const aCode = (code: string, { slug }: Advocate, active = true) =>
  putCode(table, program.id, { code, slug, active, promotionCodeId: `promo_${code}` });
const storedCode = async (code: string) => {
  const item = await itemAt(table, codeKey(program.id, code));
  return item && parseCodeItem(item);
};
const grIdOf = ({ slug }: Advocate) => `${slug}.${newId()}`;
/** The referral of the customer with an email. */
async function referralOf(email: string) {
  const claim = await itemAt(table, emailKey(program.id, email));
  return claim && storedReferral(table, program, String(claim['referral']));
}
/** Who is credited for a checkout, by what, with which code, and who lost. */
async function credited(fields: EventFields, codePriority: Program['codePriority'] = 'link') {
  const email = anEmail();
  await applyStripeEvent(table, { ...program, codePriority }, aCheckout({ email, ...fields }));
  const referral = await referralOf(email);
  const conversion = referral?.history.find((entry) => entry.type === 'state' && entry.state === 'converted');
  const lost = conversion?.type === 'state' ? conversion.lost : undefined;
  return referral && [referral.advocateSlug, referral.creditedBy, referral.code, lost ?? null];
}
const byCode = ({ slug }: Advocate, code: string, lost: Advocate | null = null) => [
  ...[slug, 'code', code, lost?.slug ?? null],
];
const byLink = ({ slug }: Advocate, lost: Advocate | null = null) => [slug, 'link', null, lost?.slug ?? null];

describe('events of promotion codes', () => {
  test.each(KINDS)('promotion_code.%s gives the advocate the code and maps its id, once', async (kind) => {
    const event = promotion({ slug: ` ${jane.slug.toUpperCase()} `, code: 'Jane20' }, kind);
    expect(await send(event)).toEqual(CODE);
    expect(await storedCode('JANE20')).toMatchObject({
      ...{ advocateSlug: jane.slug, active: true, promotionCodeId: 'promo_jane' },
    });
    await expectUnchanged(table, async () => {
      for (const again of KINDS) expect(await send(promotion({}, again))).toEqual(KNOWN);
      expect(await send(event)).toEqual(KNOWN);
    });
    expect(await credited({ promotions: ['promo_jane'] })).toEqual(byCode(jane, 'JANE20'));
  });

  test.each([
    ['without an advocate', { slug: undefined }, 'nothing_to_do'],
    ['with a text that is no code', { code: 'JANE 20' }, 'nothing_to_do'],
    ['with an unknown slug', { slug: 'nobody' }, 'unknown_slug'],
    ['with a text that is no slug', { slug: 'Jane Doe' }, 'unknown_slug'],
    ['with a code of another advocate', { code: 'omar20' }, 'code_taken'],
    ['with the id of another code', { promotion: 'promo_OMAR20' }, 'promotion_code_taken'],
  ])('an event %s changes nothing: %j', async (_, changes, ignored) => {
    await aCode('OMAR20', omar);
    await expectUnchanged(table, async () => {
      for (const kind of KINDS) expect(await send(promotion(changes, kind))).toEqual({ ignored });
    });
  });

  test('an erased advocate gets no code, and the 10,001st code of a program is ignored', async () => {
    await aCode('OMAR20', omar);
    const change = { UpdateExpression: 'SET codes = :codes', ExpressionAttributeValues: { ':codes': 10_000 } };
    await table.client.send(
      new UpdateCommand({ TableName: table.name, Key: { ...codeCountKey(program.id) }, ...change }),
    );
    expect(await send(promotion())).toEqual({ ignored: 'too_many_codes' });
    await eraseAdvocate(table, program.id, jane.slug);
    expect(await send(promotion())).toEqual({ ignored: 'unknown_slug' });
  });

  test('a code gets another id at Stripe, and both ids lead to its advocate', async () => {
    for (const id of ['promo_1', 'promo_2']) expect(await send(promotion({ promotion: id }))).toEqual(CODE);
    expect(await storedCode('JANE20')).toMatchObject({ promotionCodeId: 'promo_2' });
    for (const ids of [['promo_1'], ['promo_2'], ['promo_1', 'promo_2']]) {
      expect(await credited({ promotions: ids })).toEqual(byCode(jane, 'JANE20'));
    }
  });

  test('an event does not activate a code that the merchant deactivated', async () => {
    await putCode(table, program.id, { code: 'JANE20', slug: jane.slug, active: false });
    expect(await send(promotion())).toEqual(CODE);
    expect(await storedCode('JANE20')).toMatchObject({ active: false, promotionCodeId: 'promo_jane' });
  });

  test.each<[string, () => object, object]>([
    ['the other event of the code', () => promotion({}, 'updated'), KNOWN],
    ['a code of another advocate with its text', () => promotion({ slug: omar.slug }), { ignored: 'code_taken' }],
    ['another code with its id', () => promotion({ code: 'JANE30' }), { ignored: 'promotion_code_taken' }],
  ])('of two events at the same moment, one gives the code: %s', async (_, other, ignored) => {
    beforeNext(table, TRANSACTION, async () => expect(await send(promotion())).toEqual(CODE));
    expect(await send(other())).toEqual(ignored);
    expect(await storedCode('JANE20')).toMatchObject({ advocateSlug: jane.slug, promotionCodeId: 'promo_jane' });
    expect(await itemAt(table, codeCountKey(program.id))).toMatchObject({ codes: 1 });
  });

  test('an event whose response is lost gives the code once', async () => {
    proxied.proxy.next('TransactWriteItems', 'lose');
    expect(await send(promotion(), proxied.faulty)).toEqual(CODE);
    expect(await itemAt(table, codeCountKey(program.id))).toMatchObject({ codes: 1 });
  });
});

describe('checkouts with promotion codes', () => {
  beforeEach(async () => {
    await aCode('JANE20', jane);
    await aCode('OMAR20', omar);
  });

  test('a checkout credits the advocate of its code, also when its payment arrives later', async () => {
    const email = anEmail();
    const later = aCheckout({ email, promotions: ['promo_JANE20'] });
    expect(await send({ ...later, type: 'checkout.session.async_payment_succeeded' })).toEqual({ applied: 'paid' });
    expect(await referralOf(email)).toMatchObject({ advocateSlug: jane.slug, creditedBy: 'code', code: 'JANE20' });
  });

  test('between a code and a link of different advocates, the program decides', async () => {
    const fields = () => ({ promotions: ['promo_JANE20'], grId: grIdOf(omar) });
    expect(await credited(fields())).toEqual(byLink(omar, jane));
    expect(await credited(fields(), 'code')).toEqual(byCode(jane, 'JANE20', omar));
  });

  test('a code and a click of the same advocate convert the click, and nobody loses', async () => {
    const email = anEmail();
    const { id } = await aClick(table, program, jane);
    await applyStripeEvent(
      table,
      { ...program, codePriority: 'code' },
      aCheckout({ email, promotions: ['promo_JANE20'], grId: `${jane.slug}.${id}` }),
    );
    expect(await referralOf(email)).toMatchObject({ id, creditedBy: 'code', code: 'JANE20' });
    expect(await credited({ promotions: ['promo_JANE20'], grId: grIdOf(jane) })).toEqual(byLink(jane));
  });

  test('of several discounts, the first that leads to an active advocate counts', async () => {
    const gone = await anAdvocate(table, program);
    await aCode('GONE', gone);
    await aCode('OFF', omar, false);
    await updateAdvocate(table, program.id, gone.slug, { active: false });
    const absent = ['promo_unknown', 'promo_GONE', 'promo_OFF'];
    expect(await credited({ promotions: [...absent, 'promo_JANE20', 'promo_OMAR20'] })).toEqual(
      byCode(jane, 'JANE20', omar),
    );
    expect(await credited({ promotions: ['promo_OMAR20', ...absent, 'promo_JANE20'] })).toEqual(
      byCode(omar, 'OMAR20', jane),
    );
    for (const id of absent) {
      const event = aCheckout({ email: anEmail(), promotions: [id] });
      await expectUnchanged(table, async () => expect(await send(event)).toEqual({ ignored: 'unknown_customer' }));
      expect(await credited({ promotions: [id], grId: grIdOf(jane) }, 'code')).toEqual(byLink(jane));
    }
    expect(await credited({ promotions: ['promo_JANE20'], grId: grIdOf(gone) })).toEqual(byCode(jane, 'JANE20'));
    await putCode(table, program.id, { code: 'OFF', slug: omar.slug, active: true });
    expect(await credited({ promotions: ['promo_OFF'] })).toEqual(byCode(omar, 'OFF'));
  });

  test('a customer keeps the first advocate, whatever promotion code a later checkout contains', async () => {
    const email = anEmail();
    await aReferral(table, program, omar, { email });
    const events = [aCheckout({ email, promotions: ['promo_JANE20'] }), anInvoice({ email })];
    for (const event of events) expect(await send(event)).toEqual({ applied: 'paid' });
    expect(await referralOf(email)).toMatchObject({ advocateSlug: omar.slug, creditedBy: 'link', code: null });
  });

  test('a customer who pays with the email of nobody gets a referral by the code, although the link is mismatched', async () => {
    const { id } = await aReferral(table, program, omar, { customerUid: newId() });
    const fields = { uid: newId(), promotions: ['promo_JANE20'], grId: `${omar.slug}.${id}` };
    expect(await credited(fields, 'code')).toEqual(byCode(jane, 'JANE20', omar));
  });

  test('a checkout that is repeated, and one at the same moment, credit nobody else', async () => {
    const [email, customer] = [anEmail(), newId()];
    const checkout = aCheckout({ email, customer, promotions: ['promo_JANE20'] });
    const other = aCheckout({ email, customer, promotions: ['promo_OMAR20'] });
    beforeNext(table, TRANSACTION, () => send(checkout));
    expect(await send(other)).toEqual({ applied: 'paid' });
    await expectUnchanged(table, async () => {
      for (const event of [checkout, other]) expect(await send(event)).toEqual({ ignored: 'duplicate' });
    });
    expect(await referralOf(email)).toMatchObject({ advocateSlug: jane.slug, code: 'JANE20' });
    const both = [anEmail(), anEmail()].map((each) => aCheckout({ email: each, promotions: ['promo_JANE20'] }));
    const results = await Promise.all([...both, ...both].map((event) => send(event)));
    expect(results.filter((result) => 'applied' in result)).toHaveLength(2);
    expectConsistent(await itemsOf(table, program), program);
  });
});

test('the API version of the last checkout is noted, which doctor reads', async () => {
  const noted = () => readApiVersion(table, program.id);
  const checkout = (version?: string) => aCheckout({ email: anEmail(), ...(version !== undefined && { version }) });
  expect(await noted()).toBeUndefined();
  for (const version of ['2024-06-20', '2025-03-31.basil', '2024-12-18.acacia']) {
    await send(checkout(version));
    expect(await noted()).toBe(version);
  }
  await expectUnchanged(table, async () => {
    for (const version of [undefined, 'latest', '2024-12-18.acacia']) await send(checkout(version));
    await send(anInvoice({ email: anEmail(), version: '2025-03-31.basil' }));
  });
  beforeNext(table, 'PutItemCommand', () => send(checkout('2023-10-16')));
  expect(await send(checkout('2025-01-27.acacia'))).toEqual({ ignored: 'unknown_customer' });
  expect(await noted()).toBe('2023-10-16');
});
