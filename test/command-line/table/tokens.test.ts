import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/domain/program.ts';
import { milliseconds, type Seconds, seconds, systemClock } from '../../../functions/domain/time.ts';
import { makeToken, newToken, type TokenRecord } from '../../../functions/domain/token.ts';
import { revokeAdvocateTokens } from '../../../functions/table/advocates.ts';
import { listTokens, revokeToken } from '../../../functions/table/operator/tokens.ts';
import { createToken } from '../../../functions/table/tokens.ts';
import { anAdvocate, aProgram, aToken, newId, now } from '../../support/program.ts';
import { callersAt } from '../../support/table/controlled-clock.ts';
import { allItems, atTime } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const START = milliseconds(Date.now());
const sinceStart = (duration: number) => milliseconds(START + duration);

async function tokenIds(of: Program): Promise<string[]> {
  return (await listTokens(table, of.id)).map(({ id }) => id);
}

describe('a revoked token', () => {
  test.each([
    ['its id', (own: Program, id: string) => revokeToken(table, own.id, id)],
    ['its advocate', (own: Program) => revokeAdvocateTokens(table, own.id, 'jane')],
  ])('a token that is revoked by %s is accepted for less than 30 seconds if it is cached', async (_, revoke) => {
    const { clock, authenticate } = callersAt(table, START);
    const own = await aProgram(table);
    const token = await aToken(table, own, await anAdvocate(table, own, { slug: 'jane' }));
    expect(await authenticate(token)).toBeDefined();
    const [id = ''] = await tokenIds(own);
    await revoke(own, id);
    expect(await listTokens(table, own.id)).toMatchObject([{ id, revokedAt: expect.any(Number) }]);
    clock.time = sinceStart(28_999);
    expect(await authenticate(token)).toBeDefined();
    clock.time = sinceStart(29_000);
    expect(await authenticate(token)).toBeUndefined();
  });

  test('a revoked token is rejected immediately if it is not cached', async () => {
    const own = await aProgram(table);
    const token = await aToken(table, own);
    const [id = ''] = await tokenIds(own);
    await revokeToken(table, own.id, id);
    expect(await callersAt(table, START).authenticate(token)).toBeUndefined();
  });

  test('a revoked token does not affect the other tokens of its owner', async () => {
    const own = await aProgram(table);
    const jane = await anAdvocate(table, own);
    for (const owner of [undefined, jane]) {
      const old = await aToken(table, own, owner);
      const [id = ''] = await tokenIds(own);
      const fresh = await aToken(table, own, owner);
      await revokeToken(table, own.id, id);
      const { authenticate } = callersAt(table, START);
      expect(await authenticate(old)).toBeUndefined();
      expect(await authenticate(fresh)).toBeDefined();
    }
  });

  test('a revoked token keeps the time of its first revocation', async () => {
    const own = await aProgram(table);
    await aToken(table, own);
    const [id = ''] = await tokenIds(own);
    const first = await revokeToken(table, own.id, id);
    const later = atTime(table, () => milliseconds(systemClock() + 100_000));
    expect(await revokeToken(later, own.id, id)).toEqual(first);
    expect(await listTokens(table, own.id)).toEqual([first]);
  });

  test('a revoked token must belong to the program: an unknown or foreign id changes nothing', async () => {
    const own = await aProgram(table);
    const other = await aProgram(table);
    await aToken(table, own);
    const [id = ''] = await tokenIds(own);
    const before = await allItems(table);
    // Revoking does not wait for an id that is old enough to be in the index.
    const later = atTime(table, () => milliseconds(systemClock() + 10_000));
    expect(await revokeToken(later, other.id, id)).toBeUndefined();
    expect(await revokeToken(later, own.id, newId())).toBeUndefined();
    expect(await revokeToken(table, own.id, 'no-uuid')).toBeUndefined();
    expect(await allItems(table)).toEqual(before);
  });
});

test('tokens are listed newest first with every field except the token itself', async () => {
  const own = await aProgram(table);
  const jane = await anAdvocate(table, own);
  const records: TokenRecord[] = [];
  for (const [index, advocate] of [null, jane, null].entries()) {
    const kind = advocate === null ? 'program' : 'affiliate';
    const createdAt: Seconds = seconds(now() - 100 + index);
    const expiresAt = index === 2 ? seconds(now() + 1000) : null;
    const record = newToken({ advocate, expiresAt }, newId(), createdAt);
    await createToken(table, own, makeToken(kind, randomBytes), record);
    records.unshift(record);
  }
  expect(await listTokens(table, own.id)).toEqual(records);
});
