import { beforeEach, describe, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { AdvocateFields } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { readStatement } from '../../../functions/ledger/operator/payouts.ts';
import { recordAdjustment } from '../../../functions/ledger/table/entry-claims.ts';
import { recordPayment } from '../../../functions/ledger/table/payments.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { someSettlements } from '../../support/ledger/entries.ts';
import { ledgerOf, paymentOf } from '../../support/ledger/ledger.ts';
import { schemaErrors } from '../../support/ledger/pain-schema.ts';
import { anAdvocate, aProgram, aReferral, aToken, newId } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { atTime } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const IBAN = 'DE02120300000000202051';
const BANK = { payoutMethod: 'bank', payoutAccount: IBAN } as const;

let program: Program;
let token: string;
beforeEach(async () => {
  program = await aProgram(table, { payoutName: 'Acme', payoutIban: IBAN });
  token = await aToken(table, program);
});

const credit = (slug: string, commission: number) =>
  recordAdjustment(
    table,
    { program: program.id, by: 'operator' },
    { slug, adjustmentId: newId(), commission, currency: 'eur', note: 'Bonus' },
  );

async function earning(slug: string, commission: number, account: Partial<AdvocateFields> = {}) {
  await anAdvocate(table, program, { slug, email: `${slug}@partners.example`, ...account });
  if (commission !== 0) await credit(slug, commission);
}

describe.each(DRIVERS)('payout runs through %s', (_, connect) => {
  const send = connect(table);
  const sendBefore = connect(atTime(table, () => milliseconds(table.clock() - 60_000)));
  const payOut = (slugs: readonly string[], body: object = {}, by = token) =>
    send({ operation: 'payOut', token: by, body: { run: '2026-10', currency: 'eur', slugs, ...body } });
  const getFile = (query: string, run = '2026-10', by = token) =>
    send({ operation: 'getPayoutFile', token: by, run, query: `currency=eur&${query}` });
  const settledOf = (slug: string, amount: number, was_settled = false) => ({
    affiliate_slug: slug,
    settlement_id: `2026-10:eur:${slug}`,
    amount,
    was_settled,
  });

  test('a run pays by what is payable now, also right after the program was changed', async () => {
    const jane = await anAdvocate(table, program, { slug: 'jane', commissionPercentage: 10 });
    const referral = await aReferral(table, program, jane);
    await recordPayment(table, ledgerOf(program), paymentOf(referral, { paymentId: newId(), currency: 'eur' }));
    // The function now knows the program as it is.
    await payOut(['jane'], { run: 'other', minimum: 1_000_000 });
    await send({ operation: 'updateProgram', token, body: { payable_after_days: 30 } });
    expect((await payOut(['jane'])).json.data.attributes).toMatchObject({
      ...{ settled: [], left_out: [{ affiliate_slug: 'jane', reason: 'nothing_payable' }] },
    });
  });

  test('a run settles what is payable of each advocate, and says whom it leaves out and why', async () => {
    await earning('jane', 1000);
    await earning('sam', 99);
    await earning('idle', 0);
    await earning('owes', -5);
    const { status, json } = await payOut(['Jane', 'idle', 'sam', 'owes', 'jane'], { minimum: 100 });
    expect([status, json.data]).toEqual([
      200,
      {
        id: '2026-10:eur',
        type: 'payouts',
        attributes: {
          run: '2026-10',
          currency: 'eur',
          settled: [settledOf('jane', 1000)],
          left_out: [
            { affiliate_slug: 'idle', reason: 'nothing_payable' },
            { affiliate_slug: 'sam', reason: 'below_minimum' },
            { affiliate_slug: 'owes', reason: 'nothing_payable' },
          ],
        },
      },
    ]);
    const month = new Date().toISOString().slice(0, 7);
    expect((await readStatement(table, program, 'jane', month)).currencies).toMatchObject([{ closing: 0n }]);
  });

  test('a repetition pays nobody twice: it returns what was settled, also of what is payable since', async () => {
    await earning('jane', 1000);
    await payOut(['jane']);
    await credit('jane', 70);
    await expectUnchanged(table, async () => {
      expect((await payOut(['jane'])).json.data.attributes.settled).toEqual([settledOf('jane', 1000, true)]);
    });
    const other = await payOut(['jane'], { run: '2026-11' });
    expect(other.json.data.attributes.settled).toMatchObject([{ amount: 70, was_settled: false }]);
  });

  test('an unknown advocate returns 400, and nobody is paid', async () => {
    await earning('jane', 1000);
    await expectUnchanged(table, async () => {
      expect(outcomeOf(await payOut(['jane', 'nobody'])).slice(0, 2)).toEqual([400, 'invalid_affiliate_slug']);
    });
  });

  test('an id of the run that settles another currency returns 409', async () => {
    await earning('jane', 1000);
    const body = { affiliate_slug: 'jane', settlement_id: '2026-10:eur:jane', amount: 1, currency: 'usd' };
    await send({ operation: 'recordSettlement', token, body });
    expect(outcomeOf(await payOut(['jane'])).slice(0, 2)).toEqual([409, 'settlement_exists']);
    expect(outcomeOf(await getFile('format=csv')).slice(0, 2)).toEqual([404, 'payout_run_not_found']);
  });

  test.each([
    ['slugs must not be empty', { slugs: [] }],
    ['slugs must have at most 50 elements', { slugs: Array.from({ length: 51 }, (_, index) => `a-${index}`) }],
    ['run must be 1 to 100 printable ASCII characters without /', { run: 'Ü' }],
    ['run must be 1 to 100 printable ASCII characters without /', { run: '2026/10' }],
    ['minimum must be at least 1', { minimum: 0 }],
    ['currency must be the code of a currency in lower case, such as usd', { currency: 'xxy' }],
  ])('400: %s', async (sentence, body) => {
    expect(outcomeOf(await payOut(['jane'], body))).toEqual([400, 'invalid_field', sentence]);
  });

  test('paying and files need the scope payouts, lists only read', async () => {
    const read = await aToken(table, program, undefined, null, ['read', 'track', 'advocates', 'admin']);
    const missing = [403, 'missing_scope', 'The token lacks the scope payouts: use a token that has it'];
    expect(outcomeOf(await payOut(['jane'], {}, read))).toEqual(missing);
    expect(outcomeOf(await getFile('format=csv', '2026-10', read))).toEqual(missing);
    for (const operation of ['listSettlements', 'listPayoutRuns'] as const) {
      expect((await send({ operation, token: read })).status).toBe(200);
    }
  });

  test('GET /v2/settlements lists all settlements of the program in full pages, newest first', async () => {
    for (const slug of ['jane', 'sam']) {
      await earning(slug, 10);
      await someSettlements(table, program, slug, 2);
    }
    await payOut(['jane', 'sam']);
    const first = await send({ operation: 'listSettlements', token, query: 'per_page=4' });
    expect(first.json.data.slice(0, 2).map((row: { attributes: object }) => row.attributes)).toMatchObject([
      { kind: 'settlement', by: 'merchant', currency: 'eur' },
      { kind: 'settlement', by: 'merchant', currency: 'eur' },
    ]);
    expect(first.json.data).toHaveLength(4);
    const [, cursor] = /cursor=([\w-]+)/.exec(first.headers['link'] ?? '') ?? [];
    const second = await send({ operation: 'listSettlements', token, query: `per_page=4&cursor=${cursor}` });
    const ids = [...first.json.data, ...second.json.data].map((row: { id: string }) => row.id);
    expect([new Set(ids).size, second.json.meta.pagination.has_more]).toEqual([6, false]);
    const none = await send({ operation: 'listSettlements', token, query: 'created_at_lt=2020-01-01T00:00:00Z' });
    expect(none.json.data).toEqual([]);
  });

  test('GET /v2/payout-runs adds up the settlements of each run, without other settlements', async () => {
    await earning('jane', 1000);
    await earning('sam', 500);
    await someSettlements(table, program, 'jane', 1);
    const body = { run: '2026-09', currency: 'eur', slugs: ['jane'] };
    const earlier = await sendBefore({ operation: 'payOut', token, body });
    expect(earlier.json.data.attributes.settled).toHaveLength(1);
    await credit('jane', 7);
    await payOut(['jane', 'sam']);
    const { json } = await send({ operation: 'listPayoutRuns', token });
    expect(json.data).toMatchObject([
      { id: '2026-10:eur', type: 'payout_run', attributes: { run: '2026-10', settlements: 2, amount: 507 } },
      { id: '2026-09:eur', attributes: { run: '2026-09', currency: 'eur', settlements: 1, amount: 1000 } },
    ]);
    const [{ attributes: newest }, { attributes: oldest }] = json.data;
    expect(newest.first_at).toBeGreaterThan(oldest.last_at);
  });

  test('the file of a run contains what it settled, and lists whom it leaves out', async () => {
    await earning('jane', 4209, BANK);
    await earning('kim', 200, BANK);
    await earning('ida', 100);
    await payOut(['jane', 'kim', 'ida']);
    await updateAdvocate(table, program.id, 'kim', { ...BANK, payoutAccount: 'NO9386011117947' });
    const { json } = await getFile('format=sepa&date=2026-11-02');
    const { content, left_out, name, media_type } = json.data.attributes;
    const id = `2026-10:eur:${program.id.slice(-8)}`;
    expect([json.data.id, name, media_type]).toEqual([id, `${id.replaceAll(':', '_')}.xml`, 'text/xml']);
    expect(await schemaErrors(content)).toEqual([]);
    expect(content).toContain(`<MsgId>${id}</MsgId>`);
    expect(content).toContain('<CtrlSum>42.09</CtrlSum>');
    const leftOut = (slug: string, amount: number, reason: string) => ({
      affiliate_slug: slug,
      settlement_id: `2026-10:eur:${slug}`,
      amount,
      reason,
    });
    const expected = [leftOut('ida', 100, 'no_account'), leftOut('kim', 200, 'account_changed')];
    expect(left_out).toHaveLength(2);
    expect(left_out).toEqual(expect.arrayContaining(expected));
    const csv = await getFile('format=csv');
    expect(csv.json.data.attributes.content.trimEnd().split('\r\n')).toHaveLength(4);
    expect(csv.json.data.attributes.left_out).toHaveLength(2);
  });

  test.each([
    ['currency must be eur for sepa: choose another format', 'usd', 'format=sepa'],
    ['date is only for sepa: remove it', 'eur', 'format=csv&date=2026-11-02'],
    ['date must be a date such as 2026-01-31', 'eur', 'format=sepa&date=2026-02-30'],
    ['format must be one of csv, paypal, sepa', 'eur', 'format=pdf'],
    ['format paypal contains none of the settlements: csv says why', 'eur', 'format=paypal'],
  ])('400 of a file: %s', async (sentence, currency, query) => {
    await earning('jane', 100, BANK);
    await payOut(['jane']);
    const request = {
      operation: 'getPayoutFile',
      token,
      run: '2026-10',
      query: `currency=${currency}&${query}`,
    } as const;
    expect(outcomeOf(await send(request))).toEqual([400, 'invalid_field', sentence]);
  });
});
