import { beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import { NotConverted, StateRefused } from '../../../functions/domain/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { HistoryEntry } from '../../../functions/domain/referral/history.ts';
import type { Referral } from '../../../functions/domain/referral/referral.ts';
import { milliseconds, secondOf } from '../../../functions/domain/time.ts';
import { eraseReferral } from '../../../functions/table/referrals/referrals.ts';
import { applyStripeEvent } from '../../../functions/tracking/stripe/handler.ts';
import { beforeNext, interleaved } from '../../support/interleaved.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { anInvoice } from '../../support/stripe/stripe.ts';
import { expectConsistent, statesIn } from '../../support/table/consistency.ts';
import { move, set, storedReferral } from '../../support/table/situations.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { atTime, itemsOf } from '../../support/table.ts';
import { PAIRS } from '../../support/transitions.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
beforeEach(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
});

/** Expects each state in the history to be an allowed successor of the previous one. */
function expectChain(history: readonly HistoryEntry[]): void {
  const states = statesIn(history);
  for (const [index, to] of states.entries()) {
    const from = states[index - 1];
    const isConversion = to === 'converted' && (from === undefined || from === 'clicked');
    const isFirstClick = from === undefined && to === 'clicked';
    const isAllowedUpdate = PAIRS.some((pair) => pair.from === from && pair.to === to && pair.outcome === 'set');
    expect([from, to, isConversion || isFirstClick || isAllowedUpdate]).toEqual([from, to, true]);
  }
}

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

type Change = 'convert' | 'erase' | 'move' | 'move back' | 'paid' | 'churned' | 'rejected' | 'converted';
const change = fc.constantFrom<Change>(
  ...(['convert', 'erase', 'move', 'move back', 'paid', 'churned', 'rejected', 'converted'] as const),
);

/** Applies a change to a click or to the referral that it became. Returns the referral. */
async function applyChange(click: Referral, kind: Change): Promise<Referral | undefined> {
  switch (kind) {
    case 'erase':
      return eraseReferral(table, program.id, click.id, 'operator');
    case 'move':
      return move(table, program, click.id, 'other');
    case 'move back':
      return move(table, program, click.id, click.advocateSlug);
    case 'convert': {
      const by = { slug: click.advocateSlug, clickId: click.id };
      const { referral } = await track(table, program, { by, email: anEmail(), uid: newId(), key: newId() });
      return storedReferral(table, program, referral.id);
    }
    default:
      return set(table, program, click.id, kind);
  }
}

/** The errors that a change may throw. Conversions and erasures always succeed. */
function errorsOf(kind: Change): unknown[] {
  if (kind === 'convert' || kind === 'erase') return [];
  return [kind.startsWith('move') ? NotConverted : StateRefused];
}

test('interleaved changes of one click or referral lose no change and leave no partial write', async () => {
  const property = async (scheduler: fc.Scheduler, isClick: boolean, changes: Change[]) => {
    const newProgram = await aProgram(table);
    program = newProgram;
    const click = await aClick(table, newProgram, await anAdvocate(table, newProgram));
    await anAdvocate(table, newProgram, { slug: 'other' });
    if (!isClick) await applyChange(click, 'convert');
    const outcomes = await interleaved(scheduler, table, () =>
      Promise.allSettled(changes.map((kind) => applyChange(click, kind))),
    );
    const referrals = expectConsistent(await itemsOf(table, newProgram), newProgram);
    for (const { history } of referrals) expectChain(history);
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') continue;
      expect(errorsOf(changes[index] ?? 'convert')).toContain(outcome.reason.constructor);
    }
    const conversions = changes.filter((kind) => kind === 'convert').length;
    const converted = referrals.filter(({ convertedAt }) => convertedAt !== null);
    expect(converted).toHaveLength(conversions + Number(!isClick));
    const row = referrals.find(({ id }) => id === click.id);
    const isErased = row?.convertedAt !== null && row?.email === null;
    if (!isClick) expect(isErased).toBe(changes.includes('erase'));
    expect(row?.history.filter(({ type }) => type === 'erasure')).toHaveLength(Number(isErased));
    // Each write adds one entry.
    expect(row?.version).toBe(row?.history.length);
  };
  const changes = fc.array(change, { minLength: 2, maxLength: 5 });
  await fc.assert(fc.asyncProperty(fc.scheduler(), fc.boolean(), changes, property), { numRuns: 60 });
});
