import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { makeToken, newToken, SCOPES, type TokenDraft } from '../../../functions/kernel/accounts/rules/token.ts';
import { findProgram, toProgramAttributes } from '../../../functions/kernel/accounts/table/programs.ts';
import { createToken, toTokenItem } from '../../../functions/kernel/accounts/table/tokens.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { stopProgram } from '../../../functions/operator/delete-program.ts';
import {
  listProgramTokens,
  revokeProgramToken,
  updateProgram,
} from '../../../functions/program/table/program-changes.ts';
import { DRIVERS, sendToHandlers } from '../../support/drivers.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, aToken, newId, now } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { putItems } from '../../support/table/many-rows.ts';
import { expectUnchanged, useProgram, useTable } from '../../support/use-table.ts';

const { table, program } = await useProgram();
const token = await aToken(table, program);

const CHANGES = {
  name: 'Other',
  site_url: 'https://other.example/',
  link_parameter: 'ref',
  attribution_days: 30,
  commission_percentage: 12.5,
  commission_months: 6,
  payable_after_days: 14,
  allowed_origins: ['https://www.other.example'],
  affiliates_see_email: 'masked',
  assistants_see_email: 'full',
  code_priority: 'code',
  slugs: 'random',
  payout_name: 'Other GmbH',
  payout_iban: 'DE02120300000000202051',
  minimum_payout: { eur: 5000, usd: 6000 },
  payout_day: 28,
  accent: '#0b6e4f',
} as const;

/** One currency more than a minimum may have. */
const ELEVEN = Object.fromEntries(
  ['aud', 'brl', 'cad', 'chf', 'dkk', 'eur', 'gbp', 'jpy', 'nok', 'sek', 'usd'].map((currency) => [currency, 1]),
);

describe.each(DRIVERS)('the program through %s', (_, connect) => {
  const send = connect(table);
  const change = (body: unknown) => send({ operation: 'updateProgram', token, body });

  test('GET /v2/program returns the program with the calling token', async () => {
    const own = await aProgram(table);
    const { status, json } = await send({ operation: 'getProgram', token: await aToken(table, own) });
    expect([status, json]).toEqual([
      200,
      {
        data: {
          id: own.id,
          type: 'program',
          attributes: {
            name: 'Acme',
            site_url: 'https://acme.example/',
            public_key: own.publicKey,
            link_parameter: 'via',
            attribution_days: 90,
            commission_percentage: 20,
            commission_months: 12,
            commission_rules_id: null,
            commission_rules: null,
            payable_after_days: 0,
            allowed_origins: [],
            affiliates_see_email: 'full',
            assistants_see_email: 'masked',
            code_priority: 'link',
            slugs: 'names',
            mode: 'live',
            payout_name: null,
            payout_iban: null,
            minimum_payout: {},
            payout_day: null,
            accent: null,
            logo_version: null,
          },
        },
        meta: {
          token: {
            id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            name: null,
            scopes: ['read', 'track', 'advocates', 'payouts', 'admin'],
            expires_at: null,
            member: null,
            signed_in: false,
          },
        },
      },
    ]);
  });

  test('PATCH /v2/program changes every field, and a repetition changes nothing', async () => {
    const { status, json } = await change(CHANGES);
    const rules = { commission_rules: null, commission_rules_id: null };
    const fixed = { public_key: program.publicKey, mode: 'live', logo_version: null };
    expect([status, json.data.attributes]).toEqual([200, { ...CHANGES, ...rules, ...fixed }]);
    const stored = await findProgram(table, program.id);
    expect(stored).toMatchObject({ name: 'Other', payableAfterDays: 14, affiliatesSeeEmail: 'masked' });
    await expectUnchanged(table, async () => expect((await change(CHANGES)).json.data).toEqual(json.data));
    await expectUnchanged(table, async () => expect((await change({})).json.data).toEqual(json.data));
  });

  test('GET /v2/program returns a change immediately, although callers are remembered for 30 seconds', async () => {
    const own = await aProgram(table);
    const get = { operation: 'getProgram', token: await aToken(table, own) } as const;
    await send(get);
    await updateProgram(table, own.id, { name: 'Other', commissionPercentage: null });
    const { json } = await send(get);
    expect(json.data.attributes).toMatchObject({ name: 'Other', commission_percentage: null });
    await stopProgram(table, own.id);
    expect(outcomeOf(await send(get))).toEqual([401, 'unauthorized', expect.stringContaining('revoked')]);
  });

  test.each([
    ['id', { id: null }],
    ['public_key', { public_key: 'pk_1' }],
    ['mode', { mode: 'live' }],
    ['name', { name: null }],
    ['allowed_origins', { allowed_origins: 'https://a.example' }],
    ['slugs', { slugs: 'email' }],
    ['minimum_payout', { minimum_payout: null }],
    ['minimum_payout', { minimum_payout: { eur: 0 } }],
    ['minimum_payout', { minimum_payout: { eur: 1e12 + 1 } }],
    ['minimum_payout', { minimum_payout: { eur: 10.5 } }],
    ['minimum_payout', { minimum_payout: { EUR: 1 } }],
    ['minimum_payout', { minimum_payout: ELEVEN }],
    ['payout_day', { payout_day: 29 }],
    ['payout_day', { payout_day: 0 }],
    ['accent', { accent: '#0b6e4' }],
    ['accent', { accent: 'green' }],
    ['accent', { accent: '' }],
  ])('PATCH /v2/program with an invalid %s, %j, changes nothing', async (field, body) => {
    await expectUnchanged(table, async () => {
      const [status, code, error] = outcomeOf(await change({ name: 'Changed', ...body }));
      expect([status, code]).toEqual([400, 'invalid_field']);
      expect(error).toMatch(new RegExp(`^${field}\\b`));
    });
  });
});

const proxied = useFaultyProxy(table);

/** Stores a program token with these properties, and returns it with its id. */
async function stored(program: Program, draft: TokenDraft = { scopes: SCOPES }) {
  const record = newToken(draft, newId(), now());
  const token = makeToken(record.kind, randomBytes);
  await createToken(table, program, token, record);
  return { id: record.id, token };
}

describe.each(DRIVERS)('program tokens through %s', (_, connect) => {
  const send = connect(table);
  const create = (token: string, body: unknown) => send({ operation: 'createProgramToken', token, body });
  const list = async (token: string) => (await send({ operation: 'listTokens', token })).json.data;
  const revoke = (token: string, id: string) => send({ operation: 'revokeToken', token, id });

  test('a new token has the chosen scopes, in order, and works immediately', async () => {
    const program = await aProgram(table);
    const { status, json } = await create(await aToken(table, program), {
      scopes: ['track', 'read', 'track'],
      name: 'Shop',
      expires_in: 60,
    });
    const { token, ...attributes } = json.data.attributes;
    expect([status, json.data]).toMatchObject([201, { id: expect.any(String), type: 'token' }]);
    expect(attributes).toEqual({
      name: 'Shop',
      scopes: ['read', 'track'],
      created_at: expect.any(Number),
      expires_at: attributes.created_at + 60,
      member_id: null,
    });
    const own = await send({ operation: 'getProgram', token });
    expect(own.json.meta.token).toEqual({
      id: json.data.id,
      name: 'Shop',
      scopes: ['read', 'track'],
      expires_at: attributes.expires_at,
      member: null,
      signed_in: false,
    });
    expect(outcomeOf(await send({ operation: 'createAdvocate', token, body: { email: 'a@b.example' } }))).toEqual([
      403,
      'missing_scope',
      'The token lacks the scope advocates: use a token that has it',
    ]);
  });

  test('a token gives only the scopes that it has', async () => {
    const { token } = await stored(await aProgram(table), { scopes: ['read', 'admin'] });
    await expectUnchanged(table, async () =>
      expect(outcomeOf(await create(token, { scopes: ['read', 'payouts'] }))).toEqual([
        403,
        'missing_scope',
        'The token lacks the scope payouts: use a token that has it',
      ]),
    );
  });

  test.each([
    ['scopes', {}],
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: ['read', 'write'] }],
    ['name', { scopes: ['read'], name: 'a\u0000' }],
    ['expires_in', { scopes: ['read'], expires_in: 59 }],
  ])('a token with an invalid %s, %j, is not created', async (field, body) => {
    const token = await aToken(table, await aProgram(table));
    await expectUnchanged(table, async () => {
      const [status, code, error] = outcomeOf(await create(token, body));
      expect([status, code]).toEqual([400, 'invalid_field']);
      expect(error).toMatch(new RegExp(`^${field}\\b`));
    });
  });

  test("the list has the program's live tokens, newest first, and no others", async () => {
    const program = await aProgram(table);
    const first = await stored(program);
    await stored(program, { expiresAt: seconds(now() - 1) });
    await aToken(table, program, await anAdvocate(table, program));
    const second = await create(first.token, { scopes: ['read'], name: 'Second' });
    const third = await create(first.token, { scopes: ['read'] });
    await revoke(first.token, third.json.data.id);
    const listed = await list(first.token);
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([second.json.data.id, first.id]);
    const { token: _, ...attributes } = second.json.data.attributes;
    expect(listed[0]).toEqual({ id: second.json.data.id, type: 'token', attributes });
  });

  test('a token revokes itself and others, and repeating it succeeds', async () => {
    const program = await aProgram(table);
    const [one, other] = [await stored(program), await stored(program)];
    expect((await revoke(one.token, other.id)).status).toBe(204);
    expect((await revoke(one.token, other.id)).status).toBe(204);
    expect((await revoke(one.token, one.id)).status).toBe(204);
    expect(await listProgramTokens(table, program.id)).toEqual([]);
  });

  test("ids of other programs' tokens, of affiliates' tokens and malformed ids are unknown", async () => {
    const program = await aProgram(table);
    const own = await stored(program);
    const affiliate = await stored(program, { advocate: await anAdvocate(table, program) });
    const foreign = await stored(await aProgram(table));
    await expectUnchanged(table, async () => {
      for (const id of [affiliate.id, foreign.id, newId(), 'x']) {
        expect(outcomeOf(await revoke(own.token, id))).toEqual([404, 'token_not_found', 'Token not found']);
      }
    });
  });
});

describe('program tokens under stress', () => {
  const send = sendToHandlers(table);
  const create = (token: string) => send({ operation: 'createProgramToken', token, body: { scopes: ['read'] } });

  // In a table of their own, because other tests read the whole table.
  const crowded = useTable();

  test('a program has at most 1,000 live tokens, also if two are created together', async () => {
    const sendToCrowded = sendToHandlers(crowded);
    const own = await aProgram(crowded);
    const creator = await aToken(crowded, own);
    const copy = toProgramAttributes(own);
    const drafts: TokenDraft[] = Array.from({ length: 998 }, () => ({ scopes: SCOPES }));
    const items = [...drafts, { scopes: SCOPES, expiresAt: seconds(now() - 1) }].map((draft) =>
      toTokenItem(own.id, makeToken('program', randomBytes), newToken(draft, newId(), now()), copy),
    );
    await putItems(crowded, items);
    const request = { operation: 'createProgramToken', token: creator, body: { scopes: ['read'] } } as const;
    const responses = await Promise.all([sendToCrowded(request), sendToCrowded(request)]);
    const sentence = 'The program has 1,000 tokens. Revoke unused tokens.';
    const outcomes = responses.map(outcomeOf).toSorted(([one], [other]) => Number(one) - Number(other));
    expect(outcomes).toEqual([[201], [409, 'too_many_tokens', sentence]]);
    expect(await listProgramTokens(crowded, own.id)).toHaveLength(1000);
  });

  test('a revoked token creates no token, although callers are remembered for 30 seconds', async () => {
    const program = await aProgram(table);
    const { id, token } = await stored(program);
    expect((await create(token)).status).toBe(201);
    expect((await send({ operation: 'revokeToken', token, id })).status).toBe(204);
    expect((await send({ operation: 'getProgram', token })).status).toBe(200);
    const refused = [401, 'unauthorized', 'The token is revoked or expired: use another one'];
    expect(outcomeOf(await create(token))).toEqual(refused);
    expect(await listProgramTokens(table, program.id)).toHaveLength(1);
  });

  test('a token that is revoked immediately before the write of another one does not create it', async () => {
    const program = await aProgram(table);
    const { id, token } = await stored(program);
    beforeNext(table, 'TransactWriteItemsCommand', () => revokeProgramToken(table, program.id, id));
    expect(outcomeOf(await create(token)).slice(0, 2)).toEqual([401, 'unauthorized']);
    expect(await listProgramTokens(table, program.id)).toEqual([]);
  });

  test('a lost response does not create a second token', async () => {
    const program = await aProgram(table);
    const { token } = await stored(program);
    proxied.proxy.next('TransactWriteItems', 'lose');
    const faulty = sendToHandlers(proxied.faulty);
    expect((await faulty({ operation: 'createProgramToken', token, body: { scopes: ['read'] } })).status).toBe(201);
    expect(await listProgramTokens(table, program.id)).toHaveLength(2);
  });
});
