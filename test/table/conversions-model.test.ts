import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Advocate } from '../../functions/domain/advocate.ts';
import { ServiceError } from '../../functions/domain/errors.ts';
import type { Program } from '../../functions/domain/program.ts';
import { milliseconds } from '../../functions/domain/time.ts';
import { setAdvocateActive } from '../../functions/table/advocates.ts';
import { aClick, anAdvocate, aProgram, newId, now } from '../support/program.ts';
import { allItems, atTime, soon } from '../support/table.ts';
import { useTable } from '../support/use-table.ts';
import { type Said, track } from './track.ts';
import { expectWhole } from './whole.ts';

const table = useTable();
const DAY = 24 * 60 * 60;
const ATTRIBUTION_DAYS = 10;
const KEPT_DAYS = 7;

type Step =
  | { readonly do: 'click'; readonly advocate: number }
  | { readonly do: 'switch'; readonly advocate: number }
  | { readonly do: 'wait'; readonly days: number }
  | {
      readonly do: 'convert';
      readonly advocate: number;
      readonly click: number;
      readonly customer: { readonly email: string | null; readonly uid: string | null };
      readonly key: string | undefined;
    };

const advocate = fc.nat(1);
const emails = fc.constantFrom('a@shop.example', 'b@shop.example', 'c@shop.example');
const uids = fc.constantFrom('u1', 'u2', 'u3');
const customer = fc.oneof(
  fc.record({ email: emails, uid: fc.constant(null) }),
  fc.record({ email: fc.constant(null), uid: uids }),
  fc.record({ email: emails, uid: uids }),
);
const conversion: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('convert'),
  advocate,
  click: fc.nat(3),
  customer,
  key: fc.constantFrom(undefined, 'k1', 'k2'),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: conversion, weight: 6 },
  { arbitrary: fc.record({ do: fc.constant('click' as const), advocate }), weight: 3 },
  { arbitrary: fc.record({ do: fc.constant('switch' as const), advocate }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.constantFrom(1, 5, 7) }), weight: 1 },
);

/** What the rules say of a program with two advocates, in memory. */
class Model {
  readonly advocates: { item: Advocate; active: boolean }[];
  readonly clicks: { id: string; advocate: number; day: number; converted: boolean }[] = [];
  readonly taken = new Set<string>();
  readonly records = new Map<string, { said: string; id: string; day: number }>();
  day = 0;

  constructor(advocates: readonly Advocate[]) {
    this.advocates = advocates.map((item) => ({ item, active: true }));
  }

  /** The id of the referral that a conversion answers, or what it throws. */
  convert({ advocate, click, customer, key }: Step & { do: 'convert' }, clickId: string, newId: string) {
    const said = JSON.stringify([advocate, clickId, customer]);
    const record = key === undefined ? undefined : this.records.get(key);
    if (record && this.day < record.day + KEPT_DAYS) {
      return record.said === said ? { id: record.id, replayed: true } : 'idempotency_key_reused';
    }
    if (!this.advocates[advocate]?.active) return 'invalid_affiliate_slug';
    const claims = Object.entries(customer).flatMap(([kind, value]) => (value ? [`${kind} ${value}`] : []));
    if (claims.some((claim) => this.taken.has(claim))) return 'referral_exists';
    for (const claim of claims) this.taken.add(claim);
    const row = this.clicks[click];
    const usable = row?.advocate === advocate && !row.converted && this.day < row.day + ATTRIBUTION_DAYS;
    if (row && usable) row.converted = true;
    const id = row && usable ? row.id : newId;
    if (key !== undefined) this.records.set(key, { said, id, day: this.day });
    return { id, replayed: false };
  }
}

/** Does one step in the table and in the model, and compares. */
async function take(model: Model, program: Program, start: number, step: Step): Promise<void> {
  const at = atTime(table, () => milliseconds((start + model.day * DAY) * 1000));
  if (step.do === 'wait') {
    model.day += step.days;
    return;
  }
  const target = model.advocates[step.advocate];
  if (!target) throw new Error('no such advocate');
  if (step.do === 'switch') {
    target.active = !target.active;
    target.item = await setAdvocateActive(table, program.id, target.item, target.active, now(), soon());
    return;
  }
  if (step.do === 'click') {
    const createdAt = Math.floor(at.clock() / 1000) as Advocate['createdAt'];
    const expiresAt = (createdAt + ATTRIBUTION_DAYS * DAY) as Advocate['createdAt'];
    const times = { createdAt, stateSetAt: createdAt, updatedAt: createdAt, expiresAt };
    const { id } = await aClick(table, program, target.item, times);
    model.clicks.push({ id, advocate: step.advocate, day: model.day, converted: false });
    return;
  }
  const clickId = model.clicks[step.click]?.id ?? '01900000-0000-7000-8000-000000000000';
  const said: Said & { newId: string } = {
    by: { slug: target.item.slug, clickId },
    ...step.customer,
    key: step.key,
    newId: newId(),
  };
  const expected = model.convert(step, clickId, said.newId);
  const found = await track(at, program, said).then(
    ({ referral, replayed }) => ({ id: referral.id, replayed }),
    (error: unknown) => (error instanceof ServiceError ? error.code : error),
  );
  expect(found).toEqual(expected);
}

test('any sequence of clicks, conversions, switches and waits comes out as the rules say', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }), async (steps) => {
      const program = await aProgram(table);
      const model = new Model([await anAdvocate(table, program), await anAdvocate(table, program)]);
      const start = now();
      for (const step of steps) await take(model, program, start, step);
      const items = await allItems(table);
      const referrals = expectWhole(items, program);
      const claims = referrals.flatMap(({ email, customerUid }) => [email, customerUid].filter(Boolean));
      expect(claims).toHaveLength(model.taken.size);
      const unconverted = model.clicks.filter(({ converted }) => !converted).map(({ id }) => id);
      const clicked = referrals.filter(({ state }) => state === 'clicked').map(({ id }) => id);
      expect(clicked.sort()).toEqual(unconverted.sort());
    }),
    { numRuns: 40 },
  );
}, 60_000);
