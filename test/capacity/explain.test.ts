import { beforeAll, expect, test } from '@jest/globals';
import type { Question } from '../../functions/explain/rules/verdicts.ts';
import { readFacts } from '../../functions/explain/table/facts.ts';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { milliseconds } from '../../functions/kernel/time.ts';
import { recordPayment } from '../../functions/ledger/table/payments.ts';
import { refusalRecorder } from '../../functions/referrals/table/refusals.ts';
import { inSeries, metered } from '../support/meter.ts';
import { anAdvocate, aProgram, aReferral, newId, now } from '../support/program.ts';
import { set } from '../support/table/situations.ts';
import { anEmail } from '../support/table/track.ts';
import { atTime } from '../support/table.ts';
import { useCountingTable } from '../support/use-table.ts';

const table = useCountingTable();
const [email, uid] = [anEmail(), newId()];
const NEWEST = 'in_20';
let program: Program;
let id: string;

// A referral with 20 payments and 12 changes of its state, and 20 refused requests with all of its identifiers.
beforeAll(async () => {
  program = await aProgram(table, { commissionPercentage: 20 });
  const advocate = await anAdvocate(table, program);
  ({ id } = await aReferral(table, program, advocate, { email, customerUid: uid }));
  const reference = { id, email: null, uid: null };
  for (let number = 1; number <= 20; number += 1) {
    const payment = { reference, paymentId: `in_${number}`, amount: 4900, currency: 'usd', paidAt: null };
    await recordPayment(table, { program: program.id, by: 'merchant' }, payment);
    if (number <= 10) await set(table, program, id, number % 2 ? 'churned' : 'paid');
    const second = milliseconds((now() + number) * 1000);
    const refused = { advocate: { slug: `jane-doe-${number}` }, outcome: 'no_advocate', source: 'stripe' } as const;
    const identifiers = { email, uid, clickId: id, paymentId: NEWEST, code: null };
    const at = atTime(table, () => second);
    await refusalRecorder(at.clock)(at, program.id, {
      identifiers,
      ...refused,
      eventId: `evt_1TsOYXLkdIwHu7ix${number}`,
    });
  }
});

test.each<[Question['by'], () => string, number, number]>([
  ['email', () => email, 3, 9.5],
  ['uid', () => uid, 3, 9.5],
  ['id', () => id, 3, 8.5],
  ['gr_id', () => id, 3, 8.5],
  ['payment_id', () => NEWEST, 3, 11],
  ['email', anEmail, 1, 2],
  ['payment_id', newId, 1, 2],
])('an explanation by %s uses few requests in series and read units', async (by, value, rounds, units) => {
  const read = () => inSeries(table, () => readFacts(table, program, { by, value: value(), slug: null }));
  const { result, readUnits, writeUnits } = await metered(table, read);
  expect([result.rounds, readUnits, writeUnits]).toEqual([rounds, units, 0]);
});
