import { expect, test } from '@jest/globals';
import { milliseconds, seconds } from '../../../functions/domain/time.ts';
import { entryStoreOf, storePayments } from '../../../functions/table/operator/payment-import.ts';
import { cancellation, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { anAdvocate, aProgram, aReferral, now } from '../../support/program.ts';
import { entriesOf } from '../../support/table/entries.ts';
import { atTime } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);

test.each([
  ['the conflict of another transaction', cancellation('TransactionConflict', 'None')],
  ['throttling', refusal('ThrottlingException')],
])('imported entries have the time of the attempt that writes them, after %s', async (cause, fault) => {
  const program = await aProgram(table);
  const { id } = await aReferral(table, program, await anAdvocate(table, program));
  let moment = milliseconds(Date.now());
  const pause = async () => {
    moment = milliseconds(moment + 5000);
  };
  const at = atTime(proxied.faulty, () => moment).but({ pause });
  // The SDK repeats a throttled request.
  proxied.proxy.next('TransactWriteItems', ...(cause === 'throttling' ? [fault, fault, fault] : [fault]));
  const payment = {
    ...{ reference: { id, email: null, uid: null }, amount: 1000, currency: 'usd', commission: null },
    ...{ paidAt: seconds(now() - 60), refunded: 400, settled: 5 },
  };
  const payments = ['in_1', 'in_2'].map((paymentId) => ({ ...payment, paymentId }));
  const ledger = { program: program.id, by: 'import' } as const;
  expect(await storePayments(at, ledger, payments, entryStoreOf(at))).toEqual(['created', 'created']);
  const entries = await entriesOf(table, program);
  expect(entries.map(({ createdAt }) => createdAt)).toEqual(Array(6).fill(Math.floor(moment / 1000)));
});
