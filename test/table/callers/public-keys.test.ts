import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Program, publicKeyOf } from '../../../functions/domain/program.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { metered } from '../../support/meter.ts';
import { aProgram, newId } from '../../support/program.ts';
import { callersAt } from '../../support/table/callers-at.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
beforeAll(async () => {
  program = await aProgram(table, { allowedOrigins: ['https://acme.example'] });
});

const START = milliseconds(Date.now());
const page = () => callersAt(table, START);

describe('a public key', () => {
  test('is its program’s, with all that the program says', async () => {
    expect(await page().findPage(program.publicKey)).toEqual(program);
  });

  test('of no program finds nobody, and is asked for again each time', async () => {
    const { findPage } = page();
    for (const turn of [1, 2]) {
      const { result, requests } = await metered(table, () => findPage(publicKeyOf(newId())));
      expect([turn, result, requests]).toEqual([turn, undefined, 1]);
    }
  });

  test('of another form finds nobody, without a request', async () => {
    const { findPage } = page();
    const wrong = ['', 'pk_', 'pk_1', program.id, program.publicKey.toUpperCase(), `${program.publicKey} `];
    for (const text of wrong) {
      expect(await metered(table, () => findPage(text))).toMatchObject({ result: undefined, requests: 0 });
    }
  });

  test('is remembered for 29 seconds from the reading on', async () => {
    const { clock, findPage } = page();
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
