import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { CustomerReference, Referral } from '../../../functions/domain/referral/referral.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { lookUpReferral } from '../../../functions/table/referrals/customers.ts';
import { reassignReferral } from '../../../functions/table/referrals/referrals.ts';
import { metered } from '../../support/meter.ts';
import { anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { set } from '../../support/table/situations.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { atTime } from '../../support/table.ts';
import { useCountingTable } from '../../support/use-table.ts';

const table = useCountingTable();
let program: Program;
let jane: Advocate;
let john: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
  john = await anAdvocate(table, program, { uid: 'partner-1' });
});

const aCustomer = (subId: string | null = null) =>
  aReferral(table, program, jane, { customerUid: `cus_${newId().slice(-8)}`, subId });
const reference = (names: Partial<CustomerReference>) => ({ email: null, uid: null, id: null, ...names });
const lookUp = (names: Partial<CustomerReference>) =>
  metered(table, () => Promise.allSettled([lookUpReferral(table, program.id, reference(names))]));

describe('the capacity of a lookup', () => {
  // The claim is read with half a unit. The consistent read of the referral confirms it.
  test.each<[string, (customer: Referral) => Partial<CustomerReference>, number, number]>([
    ['by email', ({ email }) => ({ email }), 2, 1.5],
    ['by uid', ({ customerUid: uid }) => ({ uid }), 2, 1.5],
    ['by id', ({ id }) => ({ id }), 1, 1],
    ['by email and uid', ({ email, customerUid: uid }) => ({ email, uid }), 2, 3],
    ['by all three', ({ email, customerUid: uid, id }) => ({ email, uid, id }), 2, 4],
    ['of an unknown email', () => ({ email: anEmail() }), 2, 1.5],
    ['of an unknown id', () => ({ id: newId() }), 1, 1],
  ])('a lookup %s uses at most two requests', async (_, names, requests, readUnits) => {
    expect(await lookUp(names(await aCustomer()))).toMatchObject({ requests, readUnits, writeUnits: 0 });
  });

  test('a lookup of the longest history costs one more read unit', async () => {
    const { id, email } = await aCustomer();
    for (let turn = 0; turn < 101; turn += 1) await set(table, program, id, turn % 2 ? 'churned' : 'paid');
    const reading = await lookUp({ email });
    expect(reading.requests).toBe(2);
    expect(reading.readUnits).toBe(2.5);
  });
});

/** Measures a move as the route does, an hour later than its creation. */
const later = atTime(table, () => milliseconds(Date.now() + 3_600_000));
const moved = (names: Partial<CustomerReference>, slug = john.slug) =>
  metered(table, () =>
    Promise.allSettled([reassignReferral(later, program, reference(names), { slug, actor: 'merchant' })]),
  );

describe('the capacity of a move', () => {
  // The row, and a deletion and an insertion in each list: by creation, by state, by state time, and by sub id.
  test.each<[string, (customer: Referral) => Partial<CustomerReference>, string | null, number, number]>([
    ['by email', ({ email }) => ({ email }), null, 3, 8],
    ['by uid', ({ customerUid: uid }) => ({ uid }), null, 3, 8],
    ['by id', ({ id }) => ({ id }), null, 3, 8],
    ['by email and uid', ({ email, customerUid: uid }) => ({ email, uid }), null, 4, 8],
    ['with a sub id', ({ email }) => ({ email }), 'newsletter', 3, 10],
  ])('a move uses two reads and one conditional write: %s', async (_, names, subId, readUnits, writeUnits) => {
    const reading = await moved(names(await aCustomer(subId)));
    expect(reading).toMatchObject({ result: [{ status: 'fulfilled' }], requests: 3, readUnits, writeUnits });
  });

  test('a move that changes or finds nothing uses only the reads', async () => {
    const { email } = await aCustomer();
    expect(await moved({ email }, jane.slug)).toMatchObject({ requests: 2, writeUnits: 0 });
    expect(await moved({ email }, 'nobody')).toMatchObject({ requests: 1, writeUnits: 0 });
    expect(await moved({ email: anEmail() })).toMatchObject({ requests: 1, writeUnits: 0 });
  });
});

describe('the capacity of self-referrals', () => {
  test.each([
    ['by slug', () => ({ slug: john.slug, clickId: null })],
    ['by public key and uid', () => ({ publicKey: program.publicKey, uid: 'partner-1' })],
  ])('the flag of a self-referral costs no request and no capacity in a conversion %s', async (_, by) => {
    const measured = (email: string) => metered(table, () => track(table, program, { by: by(), email }));
    const [name, domain] = String(john.email).split('@');
    const { result: other, ...expected } = await measured(anEmail());
    const { result: own, ...reading } = await measured(`${name}+${newId()}@${domain}`);
    expect([own.replayed, other.replayed]).toEqual([false, false]);
    const found = await lookUpReferral(table, program.id, reference({ id: own.referral.id }));
    expect(found.flags).toEqual(['self_referral']);
    expect(reading).toEqual(expected);
    expect(reading).toMatchObject({ requests: 2, readUnits: 1, writeUnits: 8 });
  });
});
