import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { milliseconds, secondOf, seconds } from '../../../functions/domain/time.ts';
import { hashToken, makeToken } from '../../../functions/domain/token.ts';
import { metered } from '../../support/meter.ts';
import { aProgram, aToken } from '../../support/program.ts';
import { callersAt } from '../../support/table/callers-at.ts';
import { allItems, inParallel } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram({
  allowedOrigins: ['https://acme.example'],
  commissionMonths: null,
});

const START = milliseconds(Date.now());
const past = (duration: number) => milliseconds(START + duration);

describe('a token speaks for', () => {
  test('its whole program', async () => {
    const { authenticate } = callersAt(table, START);
    expect(await authenticate(await aToken(table, program))).toEqual({ kind: 'program', program });
  });

  test('its advocate, by slug', async () => {
    const { authenticate } = callersAt(table, START);
    const caller = { kind: 'affiliate', program, slug: advocate.slug };
    expect(await authenticate(await aToken(table, program, advocate))).toEqual(caller);
  });
});

describe('nobody is found', () => {
  test('for an unknown token', async () => {
    const { authenticate } = callersAt(table, START);
    expect(await authenticate(makeToken('program', randomBytes))).toBeUndefined();
  });

  test('for a wrong checksum or another form, without a request', async () => {
    const { authenticate } = callersAt(table, START);
    const token = await aToken(table, program);
    const last = token.at(-1) === 'a' ? 'b' : 'a';
    const other = token.replace('rtp_', 'rta_');
    const wrong = [
      `${token.slice(0, -1)}${last}`,
      token.slice(1),
      `${token} `,
      token.toUpperCase(),
      '',
      other.slice(4),
    ];
    for (const text of wrong) {
      expect(await metered(table, () => authenticate(text))).toMatchObject({
        result: undefined,
        requests: 0,
      });
    }
  });

  test('for a token with the prefix of the other kind', async () => {
    const { authenticate } = callersAt(table, START);
    const token = await aToken(table, program);
    expect(await authenticate(token.replace('rtp_', 'rta_'))).toBeUndefined();
  });
});

test('the first use takes one request and half a read unit, further ones within 30 seconds none', async () => {
  const { clock, authenticate } = callersAt(table, START);
  const token = await aToken(table, program);
  const use = async () => {
    const { result, ...reading } = await metered(table, () => authenticate(token));
    expect(result).toBeDefined();
    return reading;
  };
  const read = { requests: 1, readUnits: 0.5, writeUnits: 0 };
  const nothing = { requests: 0, readUnits: 0, writeUnits: 0 };
  expect(await use()).toEqual(read);
  expect(await use()).toEqual(nothing);
  clock.time = past(28_999);
  expect(await use()).toEqual(nothing);
  clock.time = past(29_000);
  expect(await use()).toEqual(read);
  expect(await use()).toEqual(nothing);
});

test('a token expires exactly at its second, also if it is cached', async () => {
  const expiresAt = seconds(secondOf(START) + 10);
  const token = await aToken(table, program, undefined, expiresAt);
  const remembering = callersAt(table, START);
  expect(await remembering.authenticate(token)).toBeDefined();
  for (const [time, isLive] of [
    [expiresAt * 1000 - 1, true],
    [expiresAt * 1000, false],
  ] as const) {
    remembering.clock.time = milliseconds(time);
    expect((await remembering.authenticate(token)) !== undefined).toBe(isLive);
    expect((await callersAt(table, milliseconds(time)).authenticate(token)) !== undefined).toBe(isLive);
  }
});

test('at most 1000 tokens are remembered, the ones that were read last', async () => {
  const own = await aProgram(table);
  const tokens: string[] = [];
  await inParallel(Array(1001).keys(), async () => {
    tokens.push(await aToken(table, own));
  });
  const { authenticate } = callersAt(table, START);
  for (const token of tokens) await authenticate(token);
  const [first = '', ...rest] = tokens;
  const again = async (some: readonly string[]) =>
    (await metered(table, () => Promise.all(some.map(authenticate)))).requests;
  expect(await again(rest)).toBe(0);
  expect(await again([first])).toBe(1);
});

test('the table holds the hash of a token and never the token', async () => {
  const token = await aToken(table, program);
  const items = JSON.stringify(await allItems(table));
  expect(items).toContain(hashToken(token));
  expect(items).not.toContain(token);
  expect(items).not.toContain(token.slice(4, -6));
});
