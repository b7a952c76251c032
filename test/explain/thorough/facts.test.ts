import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { readFacts } from '../../../functions/explain/table/facts.ts';
import { emailKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { recordPayment } from '../../../functions/ledger/table/payments.ts';
import { ledgerOf, paymentOf } from '../../support/ledger/ledger.ts';
import { aReferral } from '../../support/program.ts';
import { anEmail } from '../../support/table/track.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const read = (email: string) => readFacts(table, program, { by: 'email', value: email, slug: null });

test('a claim that outlives its person leads to nothing, not even to payments', async () => {
  const referral = await aReferral(table, program, advocate);
  await recordPayment(table, ledgerOf(program), paymentOf(referral));
  const email = anEmail();
  // As a replica may still have it after an erasure.
  const claim = { ...emailKey(program.id, email), referral: referral.id };
  await table.client.send(new PutCommand({ TableName: table.name, Item: claim }));
  expect(await read(email)).toMatchObject({ referral: undefined, payment: undefined, entries: [] });
  expect(await read(referral.email ?? '')).toMatchObject({ referral: { id: referral.id }, entries: [{}] });
});
