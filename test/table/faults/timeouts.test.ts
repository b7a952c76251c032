import { describe, expect, test } from '@jest/globals';
import { Unavailable } from '../../../functions/domain/errors.ts';
import { findProgram } from '../../../functions/table/programs.ts';
import { type Fault, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { newId } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { track } from '../../support/table/track.ts';
import { allItems, within } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const through = useFaultyProxy(table);
const { proxy } = through;

const tries = (operation: string) => proxy.seen.filter((name) => name === operation).length;
const always = (operation: string, fault: Fault) => proxy.next(operation, ...Array(10).fill(fault));
/** Milliseconds. Without the limits of a function, the first attempt lasts so long. */
const ONE_MINUTE = 60_000;

// Each case is caught by one of the limits alone: data that keeps arriving holds off the socket timeout, and the
// request timeout ends with the headers.
describe('with the limits of a Lambda function, each of 3 attempts times out, and the result is Unavailable', () => {
  test.each<[string, Fault]>([
    ['no response arrives', 'hang'],
    ['headers keep arriving without an end', 'trickle headers'],
    ['headers arrive, and then the body stalls', 'stall'],
  ])('if %s', async (_, fault) => {
    always('GetItem', fault);
    await expect(findProgram(within(through.limited, ONE_MINUTE), program.id)).rejects.toThrow(Unavailable);
    expect(tries('GetItem')).toBe(3);
  });

  test('also if the response to a transaction stalls: nothing is half-written', async () => {
    always('TransactWriteItems', 'stall');
    const request = { by: { slug: advocate.slug, clickId: newId() } };
    await expect(track(within(through.limited, ONE_MINUTE), program, request)).rejects.toThrow(Unavailable);
    expectConsistent(await allItems(table), program);
  });
});

test('a body that keeps arriving without an end is Unavailable at the deadline', async () => {
  always('GetItem', 'trickle body');
  await expect(findProgram(within(through.limited, 2000), program.id)).rejects.toThrow(Unavailable);
});
