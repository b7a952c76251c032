import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { revokeAdvocateTokens } from '../../../functions/advocates/table/advocates.ts';
import { hashToken, makeToken, newToken } from '../../../functions/kernel/accounts/rules/token.ts';
import { createTokenBy } from '../../../functions/kernel/accounts/table/tokens.ts';
import { affiliateTokens, tokenKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { EXPIRY_ATTRIBUTE } from '../../../functions/kernel/dynamodb/schema.ts';
import { TokenRevoked } from '../../../functions/kernel/errors.ts';
import { milliseconds, secondOf, seconds } from '../../../functions/kernel/time.ts';
import { listTokens } from '../../../functions/program/operator/tokens.ts';
import { revokeProgramToken } from '../../../functions/program/table/program-changes.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { metered } from '../../support/meter.ts';
import { anAdvocate, aProgram, aToken, newId, now } from '../../support/program.ts';
import { callersAt } from '../../support/table/controlled-clock.ts';
import { allItems, atTime, itemAt } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram({
  allowedOrigins: ['https://acme.example'],
  commissionMonths: null,
});

const START = milliseconds(Date.now());
const afterStart = (duration: number) => milliseconds(START + duration);

test('a wrong checksum or a malformed token authenticates nobody, without a request', async () => {
  const { authenticate } = callersAt(table, START);
  const token = await aToken(table, program);
  const last = token.at(-1) === 'a' ? 'b' : 'a';
  const other = token.replace('rtp_', 'rta_');
  const malformed = [
    `${token.slice(0, -1)}${last}`,
    token.slice(1),
    `${token} `,
    token.toUpperCase(),
    '',
    other.slice(4),
  ];
  for (const text of malformed) {
    expect(await metered(table, () => authenticate(text))).toMatchObject({
      result: undefined,
      requests: 0,
    });
  }
});

test('the first use costs one request and half a read unit, later uses within 29 seconds cost nothing', async () => {
  const { clock, authenticate } = callersAt(table, START);
  const token = await aToken(table, program);
  const use = async () => {
    const { result, ...usage } = await metered(table, () => authenticate(token));
    expect(result).toBeDefined();
    return usage;
  };
  const read = { requests: 1, readUnits: 0.5, writeUnits: 0 };
  const none = { requests: 0, readUnits: 0, writeUnits: 0 };
  expect(await use()).toEqual(read);
  expect(await use()).toEqual(none);
  clock.time = afterStart(28_999);
  expect(await use()).toEqual(none);
  clock.time = afterStart(29_000);
  expect(await use()).toEqual(read);
  expect(await use()).toEqual(none);
});

test.each([
  ['a program', undefined],
  ['an advocate', advocate],
])('a token of %s expires exactly at its expiry time, even if it is cached', async (_, owner) => {
  const expiresAt = seconds(secondOf(START) + 10);
  const token = await aToken(table, program, owner, expiresAt);
  const cached = callersAt(table, START);
  expect(await cached.authenticate(token)).toBeDefined();
  for (const [time, isLive] of [
    [expiresAt * 1000 - 1, true],
    [expiresAt * 1000, false],
  ] as const) {
    cached.clock.time = milliseconds(time);
    expect((await cached.authenticate(token)) !== undefined).toBe(isLive);
    expect((await callersAt(table, milliseconds(time)).authenticate(token)) !== undefined).toBe(isLive);
  }
});

test('an affiliate token holds nothing of its program but the id, and the table deletes it after its expiry', async () => {
  const expiresAt = seconds(secondOf(START) + 3600);
  const token = await aToken(table, program, advocate, expiresAt);
  const item = await itemAt(table, tokenKey(hashToken(token)));
  expect(item).toEqual({
    ...tokenKey(hashToken(token)),
    owner: affiliateTokens(program.id),
    created: expect.any(String),
    kind: 'affiliate',
    advocate: advocate.slug,
    program: { id: program.id },
    [EXPIRY_ATTRIBUTE]: expiresAt,
  });
});

test('a token is rejected if the tokens of its advocate were revoked after its creation had read the advocate', async () => {
  const at = atTime(table, () => START);
  const own = await anAdvocate(table, program);
  // Twice in the same second.
  const revoke = () => revokeAdvocateTokens(at, program.id, own.slug);
  const [first, second] = [await revoke(), await revoke()];
  const valid = [own, first, second].map(async (read) => {
    const token = await aToken(table, program, read);
    return (await callersAt(table, START).authenticate(token)) !== undefined;
  });
  expect(await Promise.all(valid)).toEqual([false, false, true]);
});

test('the table stores the hash of a token and never the token itself', async () => {
  const token = await aToken(table, program);
  const items = JSON.stringify(await allItems(table));
  expect(items).toContain(hashToken(token));
  expect(items).not.toContain(token);
  expect(items).not.toContain(token.slice(4, -6));
});

test.each(['PutItemCommand', 'GetItemCommand'])(
  'a token that is revoked immediately before the %s of a creation creates no token',
  async (command) => {
    const own = await aProgram(table);
    const advocate = await anAdvocate(table, own);
    const creator = hashToken(await aToken(table, own));
    const [{ id } = { id: '' }] = await listTokens(table, own.id);
    const record = newToken({ advocate }, newId(), now());
    beforeNext(table, command, () => revokeProgramToken(table, own.id, id));
    const creation = createTokenBy(table, own, { token: makeToken('affiliate', randomBytes), record, creator });
    await expect(creation).rejects.toThrow(TokenRevoked);
    expect(await listTokens(table, own.id)).toMatchObject([{ id, revokedAt: expect.any(Number) }]);
  },
);
