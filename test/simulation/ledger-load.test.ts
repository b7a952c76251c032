import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { EMPTY_ADVOCATE, newAdvocate } from '../../functions/domain/advocate.ts';
import { uuidv7 } from '../../functions/domain/ids.ts';
import { newProgram } from '../../functions/domain/program.ts';
import { newReferral } from '../../functions/domain/referral/referral.ts';
import { milliseconds, secondOf } from '../../functions/domain/time.ts';
import { Connection } from '../../functions/table/dynamodb/connection.ts';
import { recordPayment } from '../../functions/table/ledger/payments.ts';
import { toReferralItem } from '../../functions/table/referrals/referral-item.ts';
import { conversionOf } from '../support/conversion.ts';
import { fakeClient, type Network } from './fake/client.ts';
import { FakeTable } from './fake/table.ts';
import { storedEntries } from './invariants/ledger.ts';
import { simulateProcess } from './network.ts';
import { World } from './world.ts';

/** How long a transaction holds its items, in milliseconds. Others that touch them conflict, as at DynamoDB. */
const HELD = 20;
const PER_SECOND = 100;
const SECONDS = 5;
/** Half of the payments are the only one of their customer; the others share a few customers. */
const SHARED = 10;
const LIMIT = 9750;

/** A network on which transactions conflict while they hold the same items. */
function holding(world: World, counts: { conflicts: number }): Network {
  const held = new Set<string>();
  return {
    isStale: () => false,
    request: async (run, command) => {
      await world.pause(1 + world.chance.below(5));
      if (!(command instanceof TransactWriteCommand)) return run();
      const keys = (command.input.TransactItems ?? []).map(({ Put, ConditionCheck }) => {
        const { pk, sk } = Put?.Item ?? ConditionCheck?.Key ?? {};
        return `${pk} ${sk}`;
      });
      if (keys.some((key) => held.has(key))) {
        counts.conflicts += 1;
        const CancellationReasons = [{ Code: 'TransactionConflict' }];
        throw new TransactionCanceledException({ message: 'held', $metadata: {}, CancellationReasons });
      }
      for (const key of keys) held.add(key);
      await world.pause(HELD);
      for (const key of keys) held.delete(key);
      return run();
    },
  };
}

test('100 payments a second for one advocate are all recorded before their deadlines', async () => {
  const world = new World(1);
  const restore = simulateProcess(world);
  try {
    const table = new FakeTable();
    const counts = { conflicts: 0 };
    const connection = new Connection({
      tableName: 'simulated',
      client: fakeClient(table, holding(world, counts)),
      clock: world.now,
      random: world.chance.bytes,
      pause: world.pause,
    });
    const now = secondOf(world.now());
    const id = () => uuidv7(world.now(), world.chance.bytes);
    const program = newProgram({ name: 'A', siteUrl: 'https://a.example', commissionPercentage: 20 }, id(), now);
    const target = newAdvocate({ ...EMPTY_ADVOCATE, email: 'ann@a.example', slug: 'ann' }, id(), now);
    const referrals = Array.from({ length: SHARED + (PER_SECOND * SECONDS) / 2 }, (_, number) => {
      const referral = newReferral(id(), { program, target, ...conversionOf({ customerUid: String(number) }), now });
      table.write([{ Item: toReferralItem(program.id, referral) }]);
      return referral.id;
    });
    const pay = async (number: number) => {
      await world.pause((number * 1000) / PER_SECOND);
      const customer = referrals[number % 2 === 0 ? number % SHARED : SHARED + (number - 1) / 2] ?? '';
      const request = { paymentId: `in_${number}`, amount: 100, currency: 'usd', paidAt: null };
      const reference = { id: customer, email: null, uid: null };
      const at = connection.until(milliseconds(world.now() + LIMIT));
      return recordPayment(at, { program: program.id, by: 'merchant' }, { ...request, reference });
    };
    const all = Promise.all(Array.from({ length: PER_SECOND * SECONDS }, (_, number) => pay(number)));
    await world.run(all);
    expect((await all).every(({ isNew }) => isNew)).toBe(true);
    expect(storedEntries(table)).toHaveLength(PER_SECOND * SECONDS);
    // Only payments of one customer conflict: entries of one advocate never do.
    expect(counts.conflicts).toBeLessThan(PER_SECOND * SECONDS);
  } finally {
    restore();
  }
});
