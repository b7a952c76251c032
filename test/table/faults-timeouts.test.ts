import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../functions/domain/advocate.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { Program } from '../../functions/domain/program.ts';
import { milliseconds, systemClock } from '../../functions/domain/time.ts';
import { findProgram } from '../../functions/table/programs.ts';
import { type Fault, useFaultyProxy } from '../support/faulty-proxy.ts';
import { anAdvocate, aProgram, newId } from '../support/program.ts';
import { allItems } from '../support/table.ts';
import { useTable } from '../support/use-table.ts';
import { expectConsistent } from './consistency.ts';
import { track } from './track.ts';

const table = useTable();
const through = useFaultyProxy(table);
const { proxy } = through;
let program: Program;
let advocate: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
});

const tries = (operation: string) => proxy.seen.filter((name) => name === operation).length;
const always = (operation: string, fault: Fault) => proxy.next(operation, ...Array(10).fill(fault));
/** Without the limits of a function, the first attempt lasts until then. */
const inOneMinute = () => milliseconds(systemClock() + 60_000);

// Each case is caught by one of the limits alone: data that keeps arriving holds off the socket timeout, and the
// request timeout ends with the headers.
describe('with the limits of a Lambda function, each of 3 attempts times out, and the result is Unavailable', () => {
  test.each<[string, Fault]>([
    ['no response arrives', 'hang'],
    ['headers keep arriving without an end', 'trickle headers'],
    ['headers arrive, and then the body stalls', 'stall'],
  ])('if %s', async (_, fault) => {
    always('GetItem', fault);
    await expect(findProgram(through.limited, program.id, inOneMinute())).rejects.toThrow(Unavailable);
    expect(tries('GetItem')).toBe(3);
  });

  test('also if the response to a transaction stalls: nothing is half-written', async () => {
    always('TransactWriteItems', 'stall');
    const request = { by: { slug: advocate.slug, clickId: newId() }, deadline: inOneMinute() };
    await expect(track(through.limited, program, request)).rejects.toThrow(Unavailable);
    expectConsistent(await allItems(table), program);
  });
});

test('a body that keeps arriving without an end is Unavailable at the deadline', async () => {
  always('GetItem', 'trickle body');
  const deadline = milliseconds(systemClock() + 2000);
  await expect(findProgram(through.limited, program.id, deadline)).rejects.toThrow(Unavailable);
});
