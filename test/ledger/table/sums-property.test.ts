import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayOf } from '../../../functions/kernel/days.ts';
import { DAY, milliseconds, type Seconds, seconds } from '../../../functions/kernel/time.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import { newPayment, type Payment, refund, voidPayment } from '../../../functions/ledger/rules/payment.ts';
import { balancesOf, statementOf } from '../../../functions/ledger/rules/statement.ts';
import type { Sums } from '../../../functions/ledger/rules/sums.ts';
import { readSums, readSumsOf } from '../../../functions/ledger/table/sums.ts';
import { anEntry, aPaymentEntry, deleteSums, putEntries, statementByDefinition } from '../../support/ledger/entries.ts';
import { aProgram, newId } from '../../support/program.ts';
import { atTime } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const START = seconds(Date.parse('2024-11-28T12:00:00Z') / 1000);
const CURRENCIES = ['usd', 'jpy', 'eur'];

/** How far the clock of a writer is behind the clock of a reader, in seconds. */
const lag = fc.integer({ min: 0, max: 20 });
const entry = fc.record({
  kind: fc.constantFrom('payment', 'payment', 'payment', 'refund', 'void', 'adjustment', 'settlement'),
  currency: fc.constantFrom(...CURRENCIES),
  amount: fc.integer({ min: 1, max: 1_000_000_000_000 }),
  /** Days from the payment to its report: an import reports old ones. */
  age: fc.constantFrom(0, 0, 1, 29, 30, 31, 364, 365, 366, 371, 500),
  choice: fc.nat(),
  lag,
});
type Choice = typeof entry extends fc.Arbitrary<infer Type> ? Type : never;
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('write' as const), entries: fc.array(entry, { maxLength: 60 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('wait' as const),
      seconds: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 40 * DAY })),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('read' as const), readers: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('delete' as const) }) },
);

/** An advocate whose entries are known. */
class Journal {
  readonly slug = 'jane';
  readonly entries: Entry[] = [];
  readonly #payments: Payment[] = [];

  /** Adds an entry, made by the rules. */
  add({ kind, currency, amount, age, choice, lag }: Choice, now: Seconds): Entry {
    const at = seconds(now - lag);
    const made = this.#make(kind, { currency, amount, age, choice }, at);
    this.entries.push(made);
    return made;
  }

  #make(kind: string, { currency, amount, age, choice }: Omit<Choice, 'kind' | 'lag'>, at: Seconds): Entry {
    const writing = { id: newId(at), now: at, by: 'merchant' } as const;
    const index = choice % Math.max(1, this.#payments.length);
    const before = this.#payments[index];
    const left = before ? before.amount - before.refunded : 0;
    if (kind === 'refund' && before && left > 0) {
      const { payment, entry: made } = refund(
        before,
        1 + (choice % left),
        { refundId: newId(), refundedAt: at },
        writing,
      );
      this.#payments[index] = payment;
      return made;
    }
    if (kind === 'void' && before && !before.voided) {
      const { payment, entry: made } = voidPayment(before, 'Fraud', writing);
      this.#payments[index] = payment;
      return made;
    }
    if (kind === 'payment') {
      const paidAt = seconds(at - age * DAY);
      const made = { referralId: newId(), paymentId: newId(), amount, currency, paidAt, occurredAt: paidAt };
      const payment = { ...aPaymentEntry(this.slug, at, { commission: Math.round(amount / 3) }), ...made };
      this.#payments.push(newPayment(payment));
      return payment;
    }
    const commission = kind === 'settlement' ? -amount : amount;
    return anEntry(this.slug, at, { kind: kind === 'settlement' ? kind : 'adjustment', currency, commission });
  }
}

/** What readers see in all months, and what the entries say. */
function compare(sums: Sums, entries: readonly Entry[], now: Seconds): void {
  const months = new Set(
    entries
      .flatMap(({ createdAt }) => [createdAt, createdAt - 31 * DAY, now])
      .map((second) => dayOf(second).slice(0, 7)),
  );
  for (const payableAfterDays of [0, 30, 365]) {
    const terms = { today: dayOf(now), payableAfterDays };
    for (const month of months) {
      expect(statementOf(sums, month, terms)).toEqual(statementByDefinition(entries, month, terms));
    }
    const last = statementByDefinition(entries, '9999-12', terms).currencies;
    const balances = last.map(({ currency, closing: balance, payable }) => [currency, { balance, payable }]);
    expect(Object.fromEntries(balancesOf(sums, terms))).toMatchObject(Object.fromEntries(balances));
  }
}

test('statements equal their definition, whenever sums are stored, read, raced for or deleted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const program = await aProgram(table);
      const journal = new Journal();
      const { slug } = journal;
      let now = START;
      for (const each of steps) {
        switch (each.type) {
          case 'write':
            await putEntries(
              table,
              program,
              each.entries.map((choice) => journal.add(choice, now)),
            );
            break;
          case 'wait':
            now = seconds(now + each.seconds);
            break;
          case 'delete':
            await deleteSums(table, program, slug);
            break;
          case 'read': {
            const reader = atTime(table, () => milliseconds(now * 1000));
            const read = async (index: number) =>
              index === 0 ? readSums(reader, program.id, slug) : (await readSumsOf(reader, program.id, [slug]))[0];
            const all = await Promise.all(Array.from({ length: each.readers }, (_, index) => read(index)));
            for (const sums of all) {
              if (sums) compare(sums, journal.entries, now);
            }
            expect(all).toHaveLength(each.readers);
          }
        }
      }
    }),
    { numRuns: 25 },
  );
});
