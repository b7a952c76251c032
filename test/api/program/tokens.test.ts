import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/domain/program.ts';
import { seconds } from '../../../functions/domain/time.ts';
import { makeToken, newToken, SCOPES, type TokenDraft } from '../../../functions/domain/token.ts';
import { listProgramTokens, revokeProgramToken } from '../../../functions/table/program-changes.ts';
import { createToken } from '../../../functions/table/tokens.ts';
import { DRIVERS, sendToHandlers } from '../../support/drivers.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, aToken, newId, now } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
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
    });
    const own = await send({ operation: 'getProgram', token });
    expect(own.json.meta.token).toEqual({
      id: json.data.id,
      name: 'Shop',
      scopes: ['read', 'track'],
      expires_at: attributes.expires_at,
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

  test('a token that expires creates tokens that last longer, also without an end', async () => {
    const expiresAt = seconds(now() + 60);
    const { token } = await stored(await aProgram(table), { scopes: SCOPES, expiresAt });
    const [lasting, year] = [
      await create(token, { scopes: ['read'] }),
      await create(token, { scopes: ['admin'], expires_in: 31_536_000 }),
    ].map(({ json }) => json.data.attributes);
    expect([lasting.expires_at, year.expires_at]).toEqual([null, year.created_at + 31_536_000]);
  });

  test.each([
    ['scopes', {}],
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: 'read' }],
    ['scopes', { scopes: ['read', 'write'] }],
    ['name', { scopes: ['read'], name: 'a'.repeat(101) }],
    ['name', { scopes: ['read'], name: 'a\u0000' }],
    ['expires_in', { scopes: ['read'], expires_in: 59 }],
    ['expires_in', { scopes: ['read'], expires_in: 31_536_001 }],
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

  test('a program has at most 1,000 live tokens, also if two are created together', async () => {
    const program = await aProgram(table);
    const { token } = await stored(program);
    const records = Array.from({ length: 998 }, () => stored(program));
    await Promise.all([...records, stored(program, { expiresAt: seconds(now() - 1) })]);
    const statuses = await Promise.all([create(token), create(token)]);
    expect(statuses.map(outcomeOf)).toContainEqual([
      409,
      'too_many_tokens',
      'The program has 1,000 tokens. Revoke unused tokens.',
    ]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await listProgramTokens(table, program.id)).toHaveLength(1000);
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

  test('twelve changes of a program, new and revoked tokens at the same time all succeed', async () => {
    const program = await aProgram(table);
    const { token } = await stored(program);
    const revoked = await Promise.all(Array.from({ length: 12 }, () => stored(program)));
    const changes = [
      { name: 'Other' },
      { site_url: 'https://other.example/' },
      { link_parameter: 'ref' },
      { attribution_days: 30 },
      { commission_percentage: 12.5 },
      { commission_months: 6 },
      { payable_after_days: 14 },
      { allowed_origins: ['https://www.other.example'] },
      { affiliates_see_email: 'masked' },
      { slugs: 'random' },
      { name: 'Other' },
      { slugs: 'random' },
    ];
    const [created, ...others] = await Promise.all([
      create(token),
      ...Array.from({ length: 11 }, () => create(token)),
      ...changes.map((body) => send({ operation: 'updateProgram', token, body })),
      ...revoked.map(({ id }) => send({ operation: 'revokeToken', token, id })),
    ]);
    const statuses = [created, ...others].map(({ status }) => status);
    expect(statuses).toEqual([201, 200, 204].flatMap((status) => Array.from({ length: 12 }, () => status)));
    const own = await send({ operation: 'getProgram', token: created.json.data.attributes.token });
    expect(own.json.data.attributes).toMatchObject(Object.assign({}, ...changes));
    expect(await listProgramTokens(table, program.id)).toHaveLength(13);
  });
});
