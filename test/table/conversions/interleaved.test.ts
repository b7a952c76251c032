import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ReferralExists } from '../../../functions/domain/errors.ts';
import type { Customer, Referral } from '../../../functions/domain/referral/referral.ts';
import { interleaved } from '../../support/interleaved.ts';
import { aClick, anAdvocate, aProgram } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { track } from '../../support/table/track.ts';
import { itemsOf } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();

const emails = fc.constantFrom('a@shop.example', 'b@shop.example');
const uids = fc.constantFrom('u1', 'u2');
const customer: fc.Arbitrary<Customer> = fc.oneof(
  fc.record({ email: emails, uid: fc.constant(null) }),
  fc.record({ email: fc.constant(null), uid: uids }),
  fc.record({ email: emails, uid: uids }),
);
interface Request {
  readonly customer: Customer;
  /** Index of the click: 0 or 1. */
  readonly click: number;
  readonly key: string | undefined;
}
const key = fc.constantFrom(undefined, undefined, 'k1', 'k2');
const request: fc.Arbitrary<Request> = fc.record({ customer, click: fc.nat(1), key });

const belongsTo = ({ email, uid }: Customer) => {
  return (referral: Referral) =>
    (email !== null && referral.email === email) || (uid !== null && referral.customerUid === uid);
};

test('simultaneous conversions use each email, uid, key and click once, in any order of database requests', async () => {
  const property = async (scheduler: fc.Scheduler, requests: Request[]) => {
    const program = await aProgram(table);
    const own = await anAdvocate(table, program);
    const clicks = [await aClick(table, program, own), await aClick(table, program, own)];
    const clickId = (index: number) => clicks[index]?.id ?? '';
    const outcomes = await interleaved(scheduler, table, () =>
      Promise.all(
        requests.map(async (input) => {
          const by = { slug: own.slug, clickId: clickId(input.click) };
          const sent = track(table, program, { by, ...input.customer, key: input.key });
          const [result] = await Promise.allSettled([sent]);
          return { input, result };
        }),
      ),
    );
    const stored = expectConsistent(await itemsOf(table, program), program);
    const referrals = stored.filter(({ state }) => state !== 'clicked');
    const successes = outcomes.flatMap(({ input, result }) =>
      result.status === 'fulfilled' ? [{ input, ...result.value }] : [],
    );
    const createdIds = successes.filter(({ replayed }) => !replayed).map(({ referral }) => referral.id);
    expect(createdIds.sort()).toEqual(referrals.map(({ id }) => id).sort());
    for (const { input, referral } of successes) {
      const { email, uid: customerUid } = input.customer;
      expect(referrals).toContainEqual(expect.objectContaining({ id: referral.id, email, customerUid }));
    }
    for (const { input, result } of outcomes) {
      if (result.status === 'fulfilled') continue;
      // Every error is justified: either the customer already exists, or the key was used for another request.
      if (result.reason instanceof ReferralExists) expect(referrals.some(belongsTo(input.customer))).toBe(true);
      else expect(result.reason).toMatchObject({ code: 'idempotency_key_reused' });
    }
    // The first conversion of a click gets the click's id.
    for (const index of clicks.keys()) {
      const used = successes.some(({ input, replayed }) => !replayed && input.click === index);
      expect(createdIds.includes(clickId(index))).toBe(used);
    }
  };
  const requests = fc.array(request, { minLength: 2, maxLength: 5 });
  await fc.assert(fc.asyncProperty(fc.scheduler(), requests, property), { numRuns: 40 });
});
