import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { stripeCustomerKey, stripeCustomerName } from '../../../functions/kernel/dynamodb/keys.ts';
import { bulkStoreOf } from '../../../functions/kernel/operator/bulk-writes.ts';
import { addProviderCustomers } from '../../../functions/referrals/operator/provider-customers.ts';
import { MAX_CUSTOMERS } from '../../../functions/referrals/rules/provider-state.ts';
import { lookUpReferral } from '../../../functions/referrals/table/customers.ts';
import { applyStripeEvent } from '../../../functions/stripe/table/apply-event.ts';
import { importing, jsonHere, useFiles } from '../../support/admin-here.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, newId } from '../../support/program.ts';
import { aCancellation, anInvoice } from '../../support/stripe/stripe.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { allItems, itemAt, itemsOf } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;
const file = useFiles();

let program: Program;
beforeEach(async () => {
  program = await aProgram(table);
  await anAdvocate(table, program, { slug: 'jane' });
});

const HEADER = 'advocate_slug,state,email,uid,stripe_customer';
const content = (...lines: string[]) => [HEADER, ...lines].join('\n');
const imported = async (text: string, ...options: string[]) =>
  importing(table, 'referral', program.id, await file(text), ...options);
const created = (count: number) => ({ created: count, skipped: 0, failed: [] });
const skipped = (count: number) => ({ created: 0, skipped: count, failed: [] });
const taken = (line: number) => ({ line, reason: 'stripe_customer belongs to another referral' });
const ANN = 'ann@shop.example';
const find = async (email: string) =>
  (await lookUpReferral(table, program.id, { email, uid: null, id: null })).referral;
const cancel = (customer: string) => applyStripeEvent(table, program, aCancellation({ customer }));
const namesOf = (...customers: string[]) => customers.map(stripeCustomerName);
const expectProgramConsistent = async () => expectConsistent(await itemsOf(table, program), program);

/** Imports a file with a dry run before it, which must report the same and write nothing. Returns the report. */
async function rehearsed(text: string) {
  const before = await allItems(table);
  const announced = await imported(text, '--dry-run');
  expect(await allItems(table)).toEqual(before);
  expect(await imported(text)).toEqual(announced);
  return announced;
}

/** Imports a file again, which must create nothing and write nothing. */
async function expectNothingNew(text: string, skippedLines: number) {
  const before = await allItems(table);
  expect(await imported(text)).toMatchObject({ created: 0, skipped: skippedLines });
  expect(await allItems(table)).toEqual(before);
}

test('a cancellation that contains only the customer at Stripe finds the imported referral', async () => {
  const text = content(`jane,converted,${ANN},,cus_1`, 'jane,converted,,u2,cus_2', 'jane,converted,,u3,');
  expect(await rehearsed(text)).toEqual(created(3));
  expect(await cancel('cus_1')).toEqual({ applied: 'churned' });
  expect(await cancel('cus_2')).toEqual({ applied: 'churned' });
  expect(await cancel('cus_3')).toEqual({ ignored: 'unknown_customer' });
  expect(await find(ANN)).toMatchObject({ state: 'churned', provider: { customers: namesOf('cus_1') } });
  // Only a hash of the customer is stored, as after an event.
  expect(JSON.stringify(await itemsOf(table, program))).not.toContain('cus_1');
  await expectNothingNew(text, 3);
  await expectProgramConsistent();
});

describe('customers at Stripe of another referral', () => {
  test('a customer of another referral fails a new line, in one transaction, far apart and in every run', async () => {
    const filler = Array.from({ length: 60 }, (_, index) => `jane,converted,,filler-${index},cus_f${index}`);
    const text = content(
      `jane,converted,${ANN},,cus_1`,
      'jane,converted,,u2,cus_1',
      ...filler,
      'jane,converted,,u3,cus_1',
    );
    const failed = [taken(3), taken(64)];
    expect(await rehearsed(text)).toEqual({ created: 61, skipped: 0, failed });
    expect(await imported(text)).toEqual({ created: 0, skipped: 61, failed });
    await expectProgramConsistent();
  });

  test('a customer of another referral fails one of two known lines that both claim it for the first time', async () => {
    await imported(content(`jane,converted,${ANN},,`, 'jane,converted,,u2,'));
    const text = content(`jane,converted,${ANN},,cus_1`, 'jane,converted,,u2,cus_1', 'jane,converted,,u2,cus_2');
    expect(await rehearsed(text)).toEqual({ created: 0, skipped: 2, failed: [taken(3)] });
    const { referral } = await lookUpReferral(table, program.id, { email: null, uid: 'u2', id: null });
    expect(referral).toMatchObject({ provider: { customers: namesOf('cus_2') } });
    await expectProgramConsistent();
  });
});

test('a referral stores the customers at Stripe of events, up to the maximum, without forgetting one', async () => {
  const lines = Array.from({ length: MAX_CUSTOMERS + 2 }, (_, index) => `jane,converted,${ANN},,cus_${index}`);
  await imported(content(`jane,converted,${ANN},,`));
  await applyStripeEvent(table, program, anInvoice({ email: ANN, customer: 'cus_event' }));
  expect(await rehearsed(content(...lines))).toEqual(skipped(MAX_CUSTOMERS + 2));
  const { provider } = await find(ANN);
  expect(provider?.customers).toHaveLength(MAX_CUSTOMERS);
  expect(provider?.customers).toEqual(expect.arrayContaining(namesOf('cus_event', 'cus_0', 'cus_18')));
  await expectNothingNew(content(...lines), MAX_CUSTOMERS + 2);
  await expectProgramConsistent();
});

test('an erased person leaves no claim of the customer at Stripe, and none is stored again', async () => {
  const text = `id,${HEADER}\n${newId()},jane,converted,${ANN},u1,cus_1`;
  const claim = () => itemAt(table, stripeCustomerKey(program.id, stripeCustomerName('cus_1')));
  await imported(text);
  expect(await claim()).toBeDefined();
  await jsonHere(table, 'referral', 'erase', '--program', program.id, '--email', ANN);
  expect(await claim()).toBeUndefined();
  expect(JSON.stringify(await itemsOf(table, program))).not.toContain(stripeCustomerName('cus_1'));
  await expectNothingNew(text, 1);
  expect(await claim()).toBeUndefined();
  expect(await imported(content('jane,converted,,u2,cus_1'))).toEqual(created(1));
  await expectProgramConsistent();
});

describe('writes that store a customer at Stripe', () => {
  const known = [`jane,converted,${ANN},,`, 'jane,converted,,u2,'];
  const lines = content(`jane,converted,${ANN},,cus_1`, 'jane,converted,,u2,cus_2', 'jane,converted,,u3,cus_3');

  test.each(['lose', 'drop'] as const)('the writes are sent again after the fault "%s"', async (fault) => {
    await imported(content(...known));
    const { id } = await find(ANN);
    const customers = namesOf('cus_1', 'cus_2').map((name, line) => ({ line, referral: id, name }));
    const add = () => addProviderCustomers(proxied.faulty, bulkStoreOf(proxied.faulty), program.id, customers);
    proxy.next('TransactWriteItems', fault);
    expect(await add()).toEqual(new Map());
    const before = await allItems(table);
    expect(await add()).toEqual(new Map());
    expect(await allItems(table)).toEqual(before);
    expect(await find(ANN)).toMatchObject({ provider: { customers: namesOf('cus_1', 'cus_2') } });
    await expectProgramConsistent();
  });

  test('the writes are built again if an event changes the referral first', async () => {
    await imported(content(...known));
    const path = await file(lines);
    const event = () => applyStripeEvent(table, program, anInvoice({ email: ANN, customer: 'cus_9' }));
    // The first transaction fails because two lines are known, the second one stores the third line.
    let writes = 0;
    const watch = () =>
      beforeNext(table, 'TransactWriteItemsCommand', async () => {
        writes += 1;
        if (writes < 3) watch();
        else await event();
      });
    watch();
    expect(await importing(table, 'referral', program.id, path)).toEqual({ ...skipped(2), created: 1 });
    expect(await find(ANN)).toMatchObject({ provider: { customers: namesOf('cus_9', 'cus_1') } });
    await expectProgramConsistent();
  });
});
