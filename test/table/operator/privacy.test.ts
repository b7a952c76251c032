import { expect, test } from '@jest/globals';
import { idempotencyRecordKey, idempotencyRecordName } from '../../../functions/table/keys.ts';
import { newId } from '../../support/program.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { allItems, itemAt } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();

const WEEK = 7 * 24 * 60 * 60;
const aRequest = () => ({
  by: { slug: advocate.slug, clickId: newId() },
  email: anEmail(),
  uid: `customer-${newId()}`,
  key: newId(),
});

test('an idempotency record contains no email, uid or key in clear text, and expires', async () => {
  const input = { ...aRequest(), route: 'some route' };
  const { referral } = await track(table, program, input);
  const record = await itemAt(table, idempotencyRecordKey(program.id, idempotencyRecordName('some route', input.key)));
  expect(record).toMatchObject({
    referral: referral.id,
    expires_at: referral.stateSetAt + WEEK,
  });
  const text = JSON.stringify(record);
  for (const secret of [input.email, input.uid, input.key]) expect(text).not.toContain(secret);
});

test("no key in the table contains a customer's email or uid in clear text", async () => {
  const input = aRequest();
  const { referral } = await track(table, program, input);
  const items = (await allItems(table)).filter((item) => JSON.stringify(item).includes(referral.id));
  expect(items).toHaveLength(4);
  for (const item of items) {
    const keys = JSON.stringify({ ...item, email: undefined, uid: undefined });
    expect(keys).not.toContain(input.email);
    expect(keys).not.toContain(input.uid);
  }
});
