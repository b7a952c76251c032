import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { updateAdvocate } from '../../functions/advocates/table/advocates.ts';
import { putCode } from '../../functions/codes/table/put-code.ts';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { customerKey, referralKey } from '../../functions/kernel/dynamodb/keys.ts';
import type { Table } from '../../functions/kernel/dynamodb/table.ts';
import { parseReferral } from '../../functions/referrals/table/referral-item.ts';
import { applyStripeEvent } from '../../functions/stripe/table/apply-event.ts';
import type { FakeTable } from '../simulation/fake/table.ts';
import { anAdvocate, aProgram, now } from '../support/program.ts';
import {
  type CodeSequence,
  codeDeliveries,
  codeSequence,
  orderedCredit,
  uidOf,
} from '../support/stripe/code-sequences.ts';
import { tableInMemory, withoutTimers } from '../support/stripe/in-memory.ts';

/** A program with three advocates, of whom `gone` is deactivated. */
async function aShop() {
  const time = now();
  const { fake, table } = tableInMemory(() => time);
  const program = await aProgram(table);
  for (const slug of ['jane', 'omar', 'gone']) await anAdvocate(table, program, { slug });
  await updateAdvocate(table, program.id, 'gone', { active: false });
  return { fake, table, program };
}

/** Who is credited for a customer, by what, with which code, and who lost; `undefined` for nobody. */
function creditIn(fake: FakeTable, { id }: Program, uid: string) {
  const claim = fake.get({ ...customerKey(id, uid) });
  const item = claim && fake.get({ ...referralKey(id, String(claim['referral'])) });
  if (!item) return undefined;
  const { advocateSlug: slug, creditedBy: by, code, history } = parseReferral(item);
  const conversion = history.find((entry) => entry.type === 'state' && entry.state === 'converted');
  return { slug, by, code, lost: (conversion?.type === 'state' && conversion.lost) || null };
}

async function deliver(table: Table, program: Program, sequence: CodeSequence, n: number) {
  await putCode(table, program.id, { code: `OFF${n}`, slug: 'jane', active: false });
  const shop = { ...program, codePriority: sequence.priority };
  for (const event of codeDeliveries(sequence, n)) await applyStripeEvent(table, shop, event);
}

// `SEQUENCES=10000 npm run test:all -- sequences/promotion-codes` runs more, in 20 seconds.
const SEQUENCES = Number(process.env['SEQUENCES'] ?? 2000);

test('shuffled and doubled checkouts, invoices and events of promotion codes credit as in order', async () => {
  let shop = await aShop();
  let n = 0;
  const credits = new Set<string>();
  const property = async (sequence: CodeSequence) => {
    n += 1;
    if (n % 500 === 0) shop = await aShop();
    const { fake, table, program } = shop;
    await deliver(table, program, sequence, n);
    for (const [index, customer] of sequence.customers.entries()) {
      const credit = creditIn(fake, program, uidOf(n, index));
      expect(credit).toEqual(orderedCredit(customer, sequence.priority, n));
      credits.add(credit ? `${sequence.priority}: ${credit.by}, lost: ${credit.lost !== null}` : 'nobody');
    }
  };
  await withoutTimers(() => fc.assert(fc.asyncProperty(codeSequence, property), { numRuns: SEQUENCES }));
  // With both priorities by link or code, with or without another advocate. No code loses to a link if codes come first.
  expect(credits.size).toBe(8);
});
