import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Program, publicKeyOf } from '../../../functions/domain/program.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { createProgram } from '../../../functions/table/programs.ts';
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

  test('an unknown public key is remembered for ten seconds', async () => {
    const { clock, findPage } = callers();
    const [key, other] = [publicKeyOf(newId()), publicKeyOf(newId())];
    const requestsAt = async (duration: number, publicKey = key) => {
      clock.time = milliseconds(START + duration);
      const { result, requests } = await metered(table, () => findPage(publicKey));
      expect(result).toBeUndefined();
      return requests;
    };
    expect(await requestsAt(0)).toBe(1);
    expect(await requestsAt(9999)).toBe(0);
    expect(await requestsAt(9999, other)).toBe(1);
    expect(await requestsAt(10_000)).toBe(1);
    expect(await requestsAt(19_999)).toBe(0);
  });

  test('a program that is created after a request for it is found ten seconds later', async () => {
    const { clock, findPage } = callers();
    const id = newId();
    expect(await findPage(publicKeyOf(id))).toBeUndefined();
    const created = { ...program, id, publicKey: publicKeyOf(id) };
    await createProgram(table, created);
    clock.time = milliseconds(START + 10_000);
    expect(await findPage(created.publicKey)).toEqual(created);
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
