import { describe, expect, test } from '@jest/globals';
import type { Scope } from '../../../functions/kernel/accounts/rules/token.ts';
import { findAdvocate } from '../../../functions/kernel/accounts/table/advocate-items.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aToken } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const { table, program } = await useProgram();
const tokenWith = (...scopes: Scope[]) => aToken(table, program, undefined, null, scopes);
const token = await tokenWith('read', 'advocates', 'payouts');
const withoutPayouts = await tokenWith('read', 'advocates', 'admin');
const ACCOUNT = { payout_method: 'bank', payout_account: 'DE02120300000000202051' };
const HIDDEN = { payout_method: null, payout_account: null, payout_pending_until: null };
const REFUSED = [403, 'missing_scope', 'The token lacks the scope payouts: use a token that has it'];

describe.each(DRIVERS)('payout accounts through %s', (_, connect) => {
  const send = connect(table);
  const change = (slug: string, body: object, by = token) =>
    send({ operation: 'updateAdvocate', token: by, slug, body });
  const get = async (slug: string, by = token) =>
    (await send({ operation: 'getAdvocate', token: by, slug })).json.data.attributes;

  test('only a token with the scope payouts sets an account, over POST and PATCH', async () => {
    const { slug } = await anAdvocate(table, program);
    const body = { email: 'sam@partners.example', ...ACCOUNT };
    await expectUnchanged(table, async () => {
      const created = await send({ operation: 'createAdvocate', token: withoutPayouts, body });
      expect(outcomeOf(created)).toEqual(REFUSED);
      for (const changes of [ACCOUNT, { payout_method: null }, { last_name: 'Lee', payout_account: 'x' }]) {
        expect(outcomeOf(await change(slug, changes, withoutPayouts))).toEqual(REFUSED);
      }
    });
    const { json } = await send({ operation: 'createAdvocate', token, body });
    expect(json.data.attributes).toMatchObject(ACCOUNT);
    const { json: changed } = await change(slug, { ...ACCOUNT, payout_account: 'de02 1203 0000 0000 2020 51' });
    expect(changed.data.attributes).toMatchObject(ACCOUNT);
  });

  test('in a creation, null and "" are no account: they need no scope', async () => {
    const body = { email: 'sam@partners.example', payout_method: null, payout_account: '' };
    const created = await send({ operation: 'createAdvocate', token: withoutPayouts, body });
    expect([created.status, created.json.data.attributes]).toMatchObject([201, HIDDEN]);
  });

  test('a token without the scope payouts sees null, also in its own changes', async () => {
    const { slug } = await anAdvocate(table, program, { payoutMethod: 'other', payoutAccount: 'Wise' });
    expect(await get(slug)).toMatchObject({ payout_method: 'other', payout_account: 'Wise' });
    expect(await get(slug, withoutPayouts)).toMatchObject(HIDDEN);
    const { json } = await change(slug, { last_name: 'Lee' }, withoutPayouts);
    expect(json.data.attributes).toMatchObject({ last_name: 'Lee', ...HIDDEN });
    expect(await get(slug)).toMatchObject({ payout_method: 'other' });
  });

  test('no list contains an account', async () => {
    const own = await aProgram(table);
    await anAdvocate(table, own, { payoutMethod: 'other', payoutAccount: 'Wise' });
    const all = await aToken(table, own);
    for (const operation of ['listAdvocates', 'listAdvocatesV2'] as const) {
      const { json } = await send({ operation, token: all });
      expect(Object.keys(json.data[0].attributes)).not.toContain('payout_account');
      expect(JSON.stringify(json)).not.toContain('Wise');
    }
  });

  test.each([
    ['payout_account is required with payout_method', { payout_method: 'bank' }],
    ['payout_method is required with payout_account', { payout_account: 'Wise' }],
    ['payout_account is required with payout_method', { payout_method: 'bank', payout_account: null }],
    ['payout_method must be one of paypal, bank, other', { payout_method: 'cash', payout_account: 'x' }],
  ])('400: %s', async (sentence, body) => {
    const { slug } = await anAdvocate(table, program);
    expect(outcomeOf(await change(slug, body))).toEqual([400, 'invalid_field', sentence]);
  });

  test('null in one field clears both, and each change counts, but not a repetition', async () => {
    const { slug } = await anAdvocate(table, program);
    const version = async () => (await findAdvocate(table, program.id, slug))?.payoutVersion;
    for (const [body, expected] of [
      [ACCOUNT, 1],
      [ACCOUNT, 1],
      [{ last_name: 'Lee' }, 1],
      [{ payout_account: null }, 2],
      [{ payout_method: 'other', payout_account: 'Wise' }, 3],
    ] as const) {
      await change(slug, body);
      expect(await version()).toBe(expected);
    }
    expect((await change(slug, { payout_method: null })).json.data.attributes).toMatchObject(HIDDEN);
  });

  test('an affiliate sees its account masked', async () => {
    const jane = await anAdvocate(table, program, { payoutMethod: 'paypal', payoutAccount: 'jane@pay.example' });
    const { json } = await send({ operation: 'getAffiliate', token: await aToken(table, program, jane) });
    const masked = { payout_method: 'paypal', payout_account: 'j***@pay.example' };
    expect(json.data.attributes).toMatchObject(masked);
  });

  test('an erasure empties the account, and its number goes on', async () => {
    const { slug } = await anAdvocate(table, program, { payoutMethod: 'other', payoutAccount: 'Wise' });
    await send({ operation: 'eraseAdvocate', token, slug });
    const erased = await findAdvocate(table, program.id, slug);
    expect(erased).toMatchObject({ payoutMethod: null, payoutAccount: null, payoutVersion: 2 });
  });
});

describe.each(DRIVERS)('the account that pays through %s', (_, connect) => {
  const send = connect(table);
  const change = (body: object, by: string) => send({ operation: 'updateProgram', token: by, body });
  const PAYER = { payout_name: 'Acme GmbH', payout_iban: ACCOUNT.payout_account };
  const NO_ADMIN = [403, 'missing_scope', 'The token lacks the scope admin: use a token that has it'];

  test('the scope payouts sets and sees it without admin, and admin does not without payouts', async () => {
    const payouts = await tokenWith('payouts');
    expect((await change(PAYER, payouts)).json.data.attributes).toMatchObject(PAYER);
    for (const body of [PAYER, { payout_iban: null }, { name: 'Other', ...PAYER }]) {
      expect(outcomeOf(await change(body, withoutPayouts))).toEqual(REFUSED);
    }
    const { json } = await send({ operation: 'getProgram', token: withoutPayouts });
    expect(json.data.attributes).toMatchObject({ payout_name: null, payout_iban: null });
  });

  test('all other fields need admin, also together with the account', async () => {
    const payouts = await tokenWith('payouts');
    for (const body of [{}, { name: 'Other' }, { name: 'Other', ...PAYER }, { mode: 'test', ...PAYER }]) {
      expect(outcomeOf(await change(body, payouts))).toEqual(NO_ADMIN);
    }
  });
});
