import { beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import { StateRefused, Unavailable } from '../../../functions/domain/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { Referral } from '../../../functions/domain/referral.ts';
import type { State, StateEntry } from '../../../functions/domain/state.ts';
import { eraseReferral } from '../../../functions/table/referrals.ts';
import { beforeNext, interleaved } from '../../support/interleaved.ts';
import { aClick, anAdvocate, aProgram, newId } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { set, storedReferral } from '../../support/table/situations.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { itemsOf } from '../../support/table.ts';
import { PAIRS } from '../../support/transitions.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
beforeEach(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
});

/** Expects that each state in the history may follow the one before it. */
function expectChain(history: readonly StateEntry[]): void {
  for (const [index, { state: to }] of history.entries()) {
    const from = history[index - 1]?.state;
    const isConversion = to === 'converted' && (from === undefined || from === 'clicked');
    const isBeginning = from === undefined && to === 'clicked';
    const isSetting = PAIRS.some((pair) => pair.from === from && pair.to === to && pair.outcome === 'set');
    expect([from, to, isConversion || isBeginning || isSetting]).toEqual([from, to, true]);
  }
}

const aReferral = async () => {
  const { referral } = await track(table, program, { by: { slug: advocate.slug, clickId: newId() } });
  return referral.id;
};

test('20 simultaneous changes of state end as if made in turn, each of them once in the history', async () => {
  const id = await aReferral();
  const states: State[] = ['paid', 'churned', 'rejected', 'converted'];
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => set(table, program, id, states[index % 4] ?? 'paid')),
  );
  const stored = await storedReferral(table, program, id);
  expect(stored?.history).toHaveLength(stored?.version ?? 0);
  expectChain(stored?.history ?? []);
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') expect(outcome.value.state).toBe(states[index % 4]);
    else expect([StateRefused, Unavailable]).toContain(outcome.reason.constructor);
  }
  const versions = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.version] : []));
  expect(Math.max(...versions)).toBe(stored?.version);
  expectConsistent(await itemsOf(table, program), program);
});

test('20 times the same state at once is one entry of the history', async () => {
  const id = await aReferral();
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => set(table, program, id, 'paid')));
  const stored = await storedReferral(table, program, id);
  expect(stored?.history.map(({ state }) => state)).toEqual(['converted', 'paid']);
  for (const outcome of outcomes) expect(outcome).toEqual(stored);
});

test('a click that is rejected while it converts stays rejected, and the customer gets a referral of its own', async () => {
  const click = await aClick(table, program, advocate);
  const said = { by: { slug: advocate.slug, clickId: click.id }, newId: newId(), key: newId() };
  beforeNext(table, 'TransactWriteItemsCommand', () => set(table, program, click.id, 'rejected'));
  expect(await track(table, program, said)).toMatchObject({ replayed: false, referral: { id: said.newId } });
  expect(await storedReferral(table, program, click.id)).toMatchObject({ state: 'rejected', email: null });
  expectConsistent(await itemsOf(table, program), program);
});

test('a click that converts while it is rejected is a rejected referral, and can be restored', async () => {
  const click = await aClick(table, program, advocate);
  const by = { slug: advocate.slug, clickId: click.id };
  beforeNext(table, 'PutItemCommand', () => track(table, program, { by }));
  const { history } = await set(table, program, click.id, 'rejected');
  expect(history.map(({ state }) => state)).toEqual(['clicked', 'converted', 'rejected']);
  expect(await set(table, program, click.id, 'converted')).toMatchObject({ state: 'converted' });
  expectConsistent(await itemsOf(table, program), program);
});

type Change = 'convert' | 'erase' | 'paid' | 'churned' | 'rejected' | 'converted';
const change = fc.constantFrom<Change>('convert', 'erase', 'paid', 'churned', 'rejected', 'converted');

/** Makes a change of a click, or of what became of it. Returns its referral. */
async function make(click: Referral, what: Change): Promise<Referral | undefined> {
  if (what === 'erase') return eraseReferral(table, program.id, click.id);
  if (what !== 'convert') return set(table, program, click.id, what);
  const by = { slug: click.advocateSlug, clickId: click.id };
  const { referral } = await track(table, program, { by, email: anEmail(), uid: newId(), key: newId() });
  return storedReferral(table, program, referral.id);
}

test('whatever order the requests of changes of one click or referral come in, nothing is lost and nothing half-written', async () => {
  const property = async (scheduler: fc.Scheduler, isClick: boolean, changes: Change[]) => {
    const own = await aProgram(table);
    program = own;
    const click = await aClick(table, own, await anAdvocate(table, own));
    if (!isClick) await make(click, 'convert');
    const outcomes = await interleaved(scheduler, table, () =>
      Promise.allSettled(changes.map((what) => make(click, what))),
    );
    const referrals = expectConsistent(await itemsOf(table, own), own);
    for (const { history } of referrals) expectChain(history);
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') continue;
      // Conversions and erasures find their way; a state may be one that cannot follow any more.
      expect(['convert', 'erase']).not.toContain(changes[index]);
      expect([StateRefused, Unavailable]).toContain(outcome.reason.constructor);
    }
    const conversions = changes.filter((what) => what === 'convert').length;
    const converted = referrals.filter(({ convertedAt }) => convertedAt !== null);
    expect(converted).toHaveLength(conversions + Number(!isClick));
    const row = referrals.find(({ id }) => id === click.id);
    const isErased = row?.convertedAt !== null && row?.email === null;
    if (!isClick) expect(isErased).toBe(changes.includes('erase'));
    // Each writing is a state or the one erasure.
    expect(row?.version).toBe((row?.history.length ?? 0) + Number(isErased));
  };
  const changes = fc.array(change, { minLength: 2, maxLength: 5 });
  await fc.assert(fc.asyncProperty(fc.scheduler(), fc.boolean(), changes, property), { numRuns: 60 });
});
