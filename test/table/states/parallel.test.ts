import { beforeEach, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { milliseconds, secondOf } from '../../../functions/domain/time.ts';
import { applyStripeEvent } from '../../../functions/tracking/stripe/handler.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { anInvoice } from '../../support/stripe/stripe.ts';
import { expectConsistent, statesIn } from '../../support/table/consistency.ts';
import { set, storedReferral } from '../../support/table/situations.ts';
import { track } from '../../support/table/track.ts';
import { atTime, itemsOf } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
beforeEach(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
});

test('a click that is rejected during its conversion stays rejected, and the customer gets a separate referral', async () => {
  const click = await aClick(table, program, advocate);
  const input = { by: { slug: advocate.slug, clickId: click.id }, newId: newId(), key: newId() };
  beforeNext(table, 'TransactWriteItemsCommand', () => set(table, program, click.id, 'rejected'));
  expect(await track(table, program, input)).toMatchObject({ replayed: false, referral: { id: input.newId } });
  expect(await storedReferral(table, program, click.id)).toMatchObject({ state: 'rejected', email: null });
  expectConsistent(await itemsOf(table, program), program);
});

test('a click that converts while it is being rejected becomes a rejected referral that can be restored', async () => {
  const click = await aClick(table, program, advocate);
  const by = { slug: advocate.slug, clickId: click.id };
  beforeNext(table, 'PutItemCommand', () => track(table, program, { by }));
  const { history } = await set(table, program, click.id, 'rejected');
  expect(statesIn(history)).toEqual(['clicked', 'converted', 'rejected']);
  expect(await set(table, program, click.id, 'converted')).toMatchObject({ state: 'converted' });
  expectConsistent(await itemsOf(table, program), program);
});

const RESTORED = ['converted', 'rejected', 'converted'];

test('a restored state is written although its entry repeats the first one and a silent write comes before it', async () => {
  const moment = milliseconds(Date.now());
  const at = atTime(table, () => moment);
  const { id, email } = await aReferral(table, program, advocate, { createdAt: secondOf(moment) });
  await set(at, program, id, 'rejected');
  // The referral learns the customer at Stripe.
  const invoice = anInvoice({ email: email ?? '', customer: 'cus_1' });
  beforeNext(table, 'PutItemCommand', () => applyStripeEvent(at, program, invoice));
  await set(at, program, id, 'converted');
  expect(statesIn((await storedReferral(table, program, id))?.history ?? [])).toEqual(RESTORED);
});
