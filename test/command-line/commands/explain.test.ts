import { expect, test } from '@jest/globals';
import { putCode } from '../../../functions/codes/table/put-code.ts';
import { recordPayment } from '../../../functions/ledger/table/payments.ts';
import { adminHere, jsonHere } from '../../support/admin-here.ts';
import { aReferral } from '../../support/program.ts';
import { anEmail } from '../../support/table/track.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram({ commissionPercentage: 20 }, { slug: 'jane' });
const email = anEmail();
const { id } = await aReferral(table, program, advocate, { email });
const reference = { id, email: null, uid: null };
const payment = { reference, paymentId: 'in_1', amount: 1000, currency: 'usd', paidAt: null };
await recordPayment(table, { program: program.id, by: 'merchant' }, payment);
const explaining = (...options: string[]) => ['explain', '--program', program.id, ...options];

test('explain prints verdict, advice and steps, and with --json what the API returns', async () => {
  const { status, stdout } = await adminHere(table, ...explaining('--payment-id', 'in_1'));
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /verdict +│ credited .*jane.*Nothing is needed: .*outcome.*20\d\d-\S+Z .*converted.*paid.*payment/s,
  );
  const outcomes = [{ outcome: 'converted' }, { outcome: 'paid' }, { outcome: 'payment', affiliate_slug: 'jane' }];
  expect(await jsonHere(table, ...explaining('--email', email.toUpperCase(), '--advocate', 'OMAR'))).toMatchObject({
    ...{ id, verdict: 'other_advocate', referral_id: id, affiliate_slug: 'jane', steps: outcomes },
  });
});

test('explain --code says who owns a promotion code, in any case, and refuses a malformed code', async () => {
  await putCode(table, program.id, { code: 'JANE20', slug: 'jane' });
  const asked = await jsonHere(table, ...explaining('--code', 'jane20', '--advocate', 'omar'));
  expect(asked).toMatchObject({ verdict: 'other_advocate', affiliate_slug: 'jane', steps: [] });
  expect((await adminHere(table, ...explaining('--code', 'JANE20'))).stdout).toMatch(/`affiliate_slug` is credited/);
  const stderr = '--code must be 1 to 64 letters, digits, hyphens or underscores.\n';
  expect(await adminHere(table, ...explaining('--code', 'two words'))).toMatchObject({ status: 2, stderr });
});

test.each([[], ['--uid', 'a', '--id', id]])('explain with %j asks for exactly one customer', async (...options) => {
  const { status, stderr } = await adminHere(table, ...explaining(...options.flat()));
  expect([status, stderr]).toEqual([
    2,
    'Give exactly one of --email, --uid, --id, --gr-id, --code and --payment-id.\n',
  ]);
});

test('doctor asks for the program of a customer', async () => {
  const { status, stderr } = await adminHere(table, 'doctor', '--uid', 'a');
  expect([status, stderr]).toEqual([2, '--program is required to explain a customer.\n']);
});
