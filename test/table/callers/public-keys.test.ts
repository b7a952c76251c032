import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Program, publicKeyOf } from '../../../functions/domain/program.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { metered } from '../../support/meter.ts';
import { aProgram, newId } from '../../support/program.ts';
import { callersAt } from '../../support/table/controlled-clock.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
beforeAll(async () => {
  program = await aProgram(table, { allowedOrigins: ['https://acme.example'] });
});

const START = milliseconds(Date.now());
const callers = () => callersAt(table, START);

describe('public keys', () => {
  test('looking up a public key returns the complete program', async () => {
    expect(await callers().findPage(program.publicKey)).toEqual(program);
  });

  test('looking up a public key returns undefined for an unknown key, which is not cached', async () => {
    const { findPage } = callers();
    for (const attempt of [1, 2]) {
      const { result, requests } = await metered(table, () => findPage(publicKeyOf(newId())));
      expect([attempt, result, requests]).toEqual([attempt, undefined, 1]);
    }
  });

  test('looking up a public key returns undefined for a malformed key without sending a request', async () => {
    const { findPage } = callers();
    const malformed = ['', 'pk_', 'pk_1', program.id, program.publicKey.toUpperCase(), `${program.publicKey} `];
    for (const text of malformed) {
      expect(await metered(table, () => findPage(text))).toMatchObject({ result: undefined, requests: 0 });
    }
  });

  test('the program of a public key is cached for 29 seconds after it is read', async () => {
    const { clock, findPage } = callers();
    const requestsAt = async (duration: number) => {
      clock.time = milliseconds(START + duration);
      const { result, requests } = await metered(table, () => findPage(program.publicKey));
      expect(result).toEqual(program);
      return requests;
    };
    expect(await requestsAt(0)).toBe(1);
    expect(await requestsAt(28_999)).toBe(0);
    expect(await requestsAt(29_000)).toBe(1);
    expect(await requestsAt(57_999)).toBe(0);
  });
});
