import { beforeAll, describe, expect, test } from '@jest/globals';
import { sortKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { milliseconds, seconds } from '../../../functions/kernel/time.ts';
import { noSums } from '../../../functions/ledger/rules/sums.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { anEntry, aPaymentEntry, putEntries, putSums } from '../../support/ledger/entries.ts';
import { anAdvocate, aToken, newId } from '../../support/program.ts';
import { AFFILIATE_REFUSED, cursorOf, outcomeOf } from '../../support/responses.ts';
import { atTime } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const ADVOCATES = 53;
const create = (slug: string, second: number) => anAdvocate(stored, program, { slug }, seconds(1_700_000_000 + second));
// The newest advocates come first, and this advocate is the newest.
const { table: stored, program, advocate: jane } = await useProgram({ payableAfterDays: 10 }, { slug: 'jane' });
const token = await aToken(stored, program);
const affiliateToken = await aToken(stored, program, jane);
const table = atTime(stored, () => milliseconds(Date.parse('2026-03-10T12:00:00Z')));
const at = (time: string) => seconds(Date.parse(time) / 1000);
beforeAll(async () => {
  for (let index = 1; index < ADVOCATES; index += 1) await create(`idle-${index}`, index);
  await create('last', 0);
  const paid = aPaymentEntry('jane', at('2026-01-31T23:59:59Z'));
  const { paymentId, referralId, paidAt } = paid;
  await putEntries(stored, program, [
    paid,
    anEntry('jane', at('2026-02-01T00:00:00Z'), {
      ...{ kind: 'refund', paymentId, referralId, paidAt, amount: -2500, commission: -500 },
    }),
    anEntry('jane', at('2026-02-28T23:59:59Z'), { commission: -700, isCounted: true }),
    anEntry('jane', at('2026-03-02T00:00:00Z'), { kind: 'adjustment', commission: 50 }),
    aPaymentEntry('jane', at('2026-02-28T00:00:00Z'), { currency: 'jpy', amount: 500, commission: 100 }),
    aPaymentEntry('jane', at('2026-03-10T11:59:59Z'), { currency: 'eur', amount: 900, commission: 0 }),
    aPaymentEntry('jane', at('2026-03-05T00:00:00Z'), { commission: 7, paidAt: at('2026-02-28T23:59:59Z') }),
    aPaymentEntry('jane', at('2026-03-05T00:00:00Z'), { commission: 9, paidAt: at('2026-03-01T00:00:00Z') }),
    aPaymentEntry('last', at('2026-01-05T00:00:00Z')),
  ]);
});

const NOTHING = { payments: 0, refunds: 0, commissions: 0, adjustments: 0, settlements: 0 };
const JPY = { currency: 'jpy', payable: 100, settlement_count: 0 };
const USD = { currency: 'usd', payable: 857, settlement_count: 1 };
const EUR = { currency: 'eur', payable: 0, settlement_count: 0 };
const JANUARY = [{ ...USD, ...NOTHING, payments: 10_000, commissions: 2000, opening: 0, closing: 2000 }];
const FEBRUARY = [
  { ...JPY, ...NOTHING, payments: 500, commissions: 100, opening: 0, closing: 100 },
  { ...USD, ...NOTHING, refunds: -2500, commissions: -500, settlements: -700, opening: 2000, closing: 800 },
];
const MARCH = [
  { ...EUR, ...NOTHING, payments: 900, opening: 0, closing: 0 },
  { ...JPY, ...NOTHING, opening: 100, closing: 100 },
  { ...USD, ...NOTHING, payments: 20_000, commissions: 16, adjustments: 50, opening: 800, closing: 866 },
];
const statement = (month: string, currencies: unknown) => ({
  id: 'jane',
  type: 'statement',
  attributes: { month, currencies },
});
const MONTHS = [statement('2026-03', MARCH), statement('2026-02', FEBRUARY), statement('2026-01', JANUARY)];

describe.each(DRIVERS)('statements through %s', (_, connect) => {
  const send = connect(table);
  const get = (query: string) => send({ operation: 'getStatements', token, query });
  const own = (query: string) => send({ operation: 'getOwnStatements', token: affiliateToken, query });

  test('a month counts what was recorded in it, in each currency with an entry or a balance', async () => {
    for (const expected of MONTHS) {
      const query = `month=${expected.attributes.month}`;
      expect((await get(`affiliate_slug=JANE&${query}`)).json).toEqual({ data: expected });
      expect((await own(query)).json).toEqual({ data: expected });
    }
    expect((await own('month=2025-12')).json).toEqual({ data: statement('2025-12', []) });
  });

  test('a range lists its months, newest first', async () => {
    const query = 'from=2025-12&to=2026-03';
    const data = [...MONTHS, statement('2025-12', [])];
    expect((await own(query)).json).toEqual({ data });
    expect((await get(`${query}&affiliate_slug=jane`)).json).toEqual({ data });
    expect((await own('from=2026-02&to=2026-02')).json).toEqual({ data: [MONTHS[1]] });
    expect((await own('from=2025-04&to=2026-03')).json.data).toHaveLength(12);
  });

  test('the statements of a month look at 50 advocates a page, or at per_page, and leave out advocates without a currency', async () => {
    const first = await get('month=2026-01');
    expect(first.json).toEqual({
      data: [MONTHS[2]],
      meta: { pagination: { page: 1, per_page: 50, has_more: true } },
    });
    const cursor = cursorOf(first);
    const second = await get(`month=2026-01&cursor=${cursor}`);
    expect(second.json.data).toMatchObject([{ id: 'last', attributes: { currencies: [{ closing: 2000 }] } }]);
    expect(second.json.meta).toEqual({ pagination: { page: 2, per_page: 50, has_more: false } });
    expect((await get(`month=2026-02&cursor=${cursor}`)).status).toBe(400);
    const small = await get(`month=2026-01&per_page=1&cursor=${cursor}`);
    expect(small.json.meta).toEqual({ pagination: { page: 2, per_page: 1, has_more: true } });
    expect((await get('month=2025-12')).json.data).toEqual([]);
  });

  test('sums have all their digits, beyond 2^53', async () => {
    const rich = await anAdvocate(stored, program);
    const huge = 123_456_789_012_345_678_901n;
    const sums = noSums();
    const zero = { refunds: 0n, adjustments: 0n, settlements: 0n };
    sums.months.set('2026-02', new Map([['usd', { ...zero, payments: huge, commissions: huge }]]));
    const position = sortKey(at('2026-02-28T00:00:00Z'), newId());
    await putSums(stored, program, rich.slug, { ...sums, position, version: 1 });
    await putEntries(stored, program, [anEntry(rich.slug, at('2026-03-01T00:00:00Z'))]);
    const { text } = await get(`month=2026-03&affiliate_slug=${rich.slug}`);
    expect(text).toContain('"opening":123456789012345678901,"closing":123456789012345678900,');
  });

  test.each(['nobody', 'a.b'])('the unknown slug %j is 400', async (slug) => {
    expect(outcomeOf(await get(`month=2026-01&affiliate_slug=${slug}`))).toEqual(AFFILIATE_REFUSED);
  });

  test.each([
    ['', 'month'],
    ['month=2026-04', 'month'],
    ['month=2026-13', 'month'],
    ['month=2026-01&month=2026-01', 'month'],
    ['month=2026-01&from=2026-01&to=2026-01', 'month'],
    ['from=2026-01', 'from'],
    ['to=2026-01', 'to'],
    ['from=2026-02&to=2026-01', 'from'],
    ['from=2025-01&to=2026-01', 'from'],
    ['from=2026-01&to=2026-04', 'to'],
    ['month=2026-01&cursor=Mi4', 'cursor'],
    ...['page', 'per_page', 'kind_eq', 'payment_id_eq', 'group_by'].map((name) => [`month=2026-01&${name}=1`, name]),
  ])('the query %j of one advocate is 400 and names %s', async (query, name) => {
    for (const response of [await own(query), await get(`${query}&affiliate_slug=jane`)]) {
      expect(response.status).toBe(400);
      expect(response.json.error).toContain(name);
    }
  });

  test.each([
    ['from=2026-01&to=2026-02', 'from requires affiliate_slug'],
    ['', 'month is required'],
    ['month=2026-01&per_page=51', 'per_page must be at most 50'],
    ['month=2026-04', 'month must be a month that has begun'],
  ])('the query %j of all advocates is 400', async (query, sentence) => {
    const { status, json } = await get(query);
    expect([status, json.error]).toEqual([400, expect.stringContaining(sentence)]);
  });
});
