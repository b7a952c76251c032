import { beforeAll, describe, expect, test } from '@jest/globals';
import { milliseconds } from '../../../functions/kernel/time.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import { recordAdjustment } from '../../../functions/ledger/table/entry-claims.ts';
import { recordPayment, recordRefund, recordVoid } from '../../../functions/ledger/table/payments.ts';
import { recordSettlement } from '../../../functions/ledger/table/settlements.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { ledgerOf, paymentOf } from '../../support/ledger/ledger.ts';
import { anAdvocate, aReferral, aToken, newId } from '../../support/program.ts';
import { cursorOf } from '../../support/responses.ts';
import { move } from '../../support/table/situations.ts';
import { atTime } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate: jane } = await useProgram({}, { slug: 'jane' });
const START = Date.parse('2026-03-10T12:00:00Z');
const token = await aToken(table, program);
const affiliateToken = await aToken(table, program, jane);
const referral = await aReferral(table, program, jane);
/** Oldest first. */
const entries: Entry[] = [];
beforeAll(async () => {
  await anAdvocate(table, program, { slug: 'idle' });
  const other = await aReferral(table, program, jane);
  const ledger = { program: program.id, by: 'merchant' } as const;
  const money = { amount: 1000, currency: 'usd', paidAt: null };
  const reference = ({ id }: Referral) => ({ id, email: null, uid: null });
  const own = { slug: 'jane', currency: 'usd' };
  const yen = { ...money, currency: 'jpy' };
  const steps = [
    (then: typeof table) =>
      recordPayment(then, ledger, { reference: reference(referral), paymentId: 'in_1', ...money }),
    (then: typeof table) => recordPayment(then, ledger, { reference: reference(other), paymentId: 'in_2', ...yen }),
    ...['re_1', 're_2', 're_3'].map(
      (refundId) => (then: typeof table) =>
        recordRefund(then, ledger, { paymentId: 'in_1', refundId, amount: 100, refundedAt: null }),
    ),
    (then: typeof table) => recordVoid(then, ledger, { paymentId: 'in_1', note: 'Fraud' }),
    (then: typeof table) => recordAdjustment(then, ledger, { ...own, adjustmentId: 'a', commission: 5, note: 'Bonus' }),
    (then: typeof table) =>
      recordSettlement(then, ledger, { ...own, settlementId: 's', amount: 7, reference: null, settledAt: null }),
  ];
  for (const [index, step] of steps.entries()) {
    // The second refund's clock is behind: it stands before its payment.
    const time = milliseconds(START + (index === 3 ? -1 : index) * 1000);
    const { entry } = await step(atTime(table, () => time));
    if (index === 3) entries.unshift(entry);
    else entries.push(entry);
  }
});
const idsOf = (json: { data: readonly { id: string }[] }) => json.data.map(({ id }) => id);
const ids = (chosen: (entry: Entry) => boolean = () => true) =>
  entries
    .filter(chosen)
    .map(({ id }) => id)
    .reverse();

describe.each(DRIVERS)('the ledger through %s', (_, connect) => {
  const send = connect(table);
  const get = (query: string) => send({ operation: 'listEntries', token, query });
  const own = (query: string) => send({ operation: 'listOwnEntries', token: affiliateToken, query });
  /** The ids on all pages, and the number of rows of each page. */
  const pages = async (list: typeof get, query: string) => {
    const found: string[][] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const response = await list(`${query}${cursor && `&cursor=${cursor}`}`);
      found.push(idsOf(response.json));
      expect(response.json.meta.pagination.page).toBe(found.length);
      cursor = cursorOf(response);
      expect(response.json.meta.pagination.has_more).toBe(cursor !== undefined);
    }
    return { ids: found.flat(), sizes: found.map(({ length }) => length) };
  };

  test('entries of an advocate are listed newest first, page by page', async () => {
    expect(idsOf((await get('affiliate_slug=JANE')).json)).toEqual(ids());
    expect(await pages(get, 'affiliate_slug=jane&per_page=3')).toEqual({ ids: ids(), sizes: [3, 3, 2] });
    expect(await pages(own, 'per_page=4')).toEqual({ ids: ids(), sizes: [4, 4] });
    expect((await get('affiliate_slug=idle')).json).toMatchObject({
      data: [],
      meta: { pagination: { has_more: false } },
    });
  });

  test('a filter by value makes pages short, and keeps their order', async () => {
    const list = (filter: string) => pages(get, `affiliate_slug=jane&per_page=3&${filter}`);
    expect(await list('kind_eq=refund')).toEqual({ ids: ids(({ kind }) => kind === 'refund'), sizes: [0, 2, 1] });
    expect(await list('currency_eq=jpy')).toEqual({ ids: ids(({ currency }) => currency === 'jpy'), sizes: [0, 1, 0] });
    expect((await list('kind_eq=payment&currency_eq=usd')).ids).toEqual(
      ids(({ paymentId, kind }) => kind === 'payment' && paymentId === 'in_1'),
    );
  });

  test('a payment has its refunds and its void, also refunds that stand before it', async () => {
    const expected = ids(({ paymentId }) => paymentId === 'in_1');
    expect(expected).toHaveLength(5);
    expect(
      (await get('payment_id_eq=in_1')).json.data.map(
        ({ attributes }: { attributes: { kind: string } }) => attributes.kind,
      ),
    ).toEqual(['void', 'refund', 'refund', 'payment', 'refund']);
    for (const size of [1, 2, 3, 4, 5]) {
      expect((await pages(get, `payment_id_eq=in_1&per_page=${size}`)).ids).toEqual(expected);
    }
    expect((await pages(get, 'payment_id_eq=in_2')).ids).toEqual(ids(({ paymentId }) => paymentId === 'in_2'));
    expect((await get('payment_id_eq=in_3')).json).toMatchObject({
      data: [],
      meta: { pagination: { has_more: false } },
    });
  });

  test('a referral has its payments, refunds and voids of all its advocates in full pages; an affiliate sees its own', async () => {
    const [tom, sam] = [await anAdvocate(table, program), await anAdvocate(table, program)];
    const moved = await aReferral(table, program, tom);
    const { id } = moved;
    const pay = async (paymentId: string) =>
      (await recordPayment(table, ledgerOf(program), paymentOf(moved, { paymentId }))).entry.id;
    const first = await pay(newId());
    await move(table, program, id, sam.slug);
    const second = await pay(newId());
    const ofSam = { operation: 'listOwnEntries' as const, token: await aToken(table, program, sam) };
    expect(await pages(get, `referral_id_eq=${id}&per_page=1`)).toEqual({ ids: [second, first], sizes: [1, 1] });
    expect((await pages(get, `referral_id_eq=${id}&affiliate_slug=${tom.slug}`)).ids).toEqual([first]);
    const its = (query: string) => send({ ...ofSam, query });
    expect(await pages(its, `referral_id_eq=${id}&per_page=1`)).toEqual({ ids: [second], sizes: [1] });
    const expected = ids(({ referralId }) => referralId === referral.id);
    expect(await pages(own, `referral_id_eq=${referral.id}&per_page=2`)).toEqual({ ids: expected, sizes: [2, 2, 1] });
    expect((await pages(get, `referral_id_eq=${id}&created_at_gt=2200-01-01T00:00:00Z`)).ids).toEqual([]);
    expect((await get(`referral_id_eq=${newId()}`)).json.data).toEqual([]);
    expect((await get(`referral_id_eq=${newId()}&affiliate_slug=nobody`)).status).toBe(400);
  });

  test('an affiliate sees neither the ids of payments and refunds nor who recorded them', async () => {
    const mine = (await get('affiliate_slug=jane')).json.data;
    expect(mine[2].attributes).toMatchObject({ kind: 'void', payment_id: 'in_1', by: 'merchant', note: 'Fraud' });
    const { data } = (await own('')).json;
    expect(data).toEqual(
      mine.map((entry: { attributes: object }) => ({
        ...entry,
        attributes: { ...entry.attributes, payment_id: null, refund_id: null, by: null },
      })),
    );
  });

  test('a cursor is valid for its list, owner and filters only', async () => {
    const cursor = cursorOf(await get('affiliate_slug=jane&per_page=1')) ?? '';
    expect((await get(`affiliate_slug=jane&per_page=5&cursor=${cursor}`)).status).toBe(200);
    for (const query of ['affiliate_slug=idle', 'affiliate_slug=jane&kind_eq=void', 'payment_id_eq=in_1']) {
      expect((await get(`${query}&cursor=${cursor}`)).status).toBe(400);
    }
    expect((await own(`cursor=${cursor}`)).status).toBe(400);
  });

  test('an unknown slug is 400', async () => {
    const { status, headers } = await get('affiliate_slug=nobody');
    expect([status, headers['x-error-code']]).toEqual([400, 'invalid_affiliate_slug']);
  });

  test.each([
    ['', 'affiliate_slug, payment_id_eq or referral_id_eq is required'],
    ['affiliate_slug=jane&payment_id_eq=in_1', 'affiliate_slug cannot be combined with payment_id_eq'],
    ['payment_id_eq=in_1&kind_eq=void', 'kind_eq cannot be combined'],
    ['payment_id_eq=in_1&created_at_gt=2026-01-01T00:00:00Z', 'created_at_gt cannot be combined'],
    ['payment_id_eq=', 'payment_id_eq must be'],
    ['affiliate_slug=jane&kind_eq=gift', 'kind_eq must be one of'],
    ['affiliate_slug=jane&currency_eq=USD', 'currency_eq must be'],
    ['referral_id_eq=019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071&kind_eq=void', 'kind_eq cannot be combined'],
    ['affiliate_slug=jane&referral_id_eq=1', 'referral_id_eq must be'],
    ['affiliate_slug=jane&page=1', 'page is not a parameter'],
  ])('the query %j is 400', async (query, sentence) => {
    const { status, json } = await get(query);
    expect([status, json.error]).toEqual([400, expect.stringContaining(sentence)]);
  });
});
