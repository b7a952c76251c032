import { expect, test } from '@jest/globals';
import { LAST_SECOND, type SecondsRange, seconds } from '../../../functions/kernel/time.ts';
import { eventsOf } from '../../../functions/referrals/rules/referral-event.ts';
import { findReferral } from '../../../functions/referrals/table/customers.ts';
import { eraseReferral, reassignReferral, setReferralState } from '../../../functions/referrals/table/referrals.ts';
import { EVENT_TYPES, type EventType } from '../../../functions/webhooks/rules/event.ts';
import { pastEvents } from '../../../functions/webhooks/table/past-events.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aClick, anAdvocate, aProgram, aReferral, now } from '../../support/program.ts';
import type { TestTable } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const EVER = { from: seconds(0), to: seconds(LAST_SECOND) };

async function read(program: string, types: readonly EventType[] = EVENT_TYPES, setAt: SecondsRange = EVER) {
  const events = [];
  for await (const page of pastEvents(table, program, types, setAt)) events.push(...page.events);
  return events;
}

/** What `eventsOf` returns for a referral as it is stored. */
async function stored(on: TestTable, program: string, id: string) {
  const referral = await findReferral(on, program, id);
  if (!referral) throw new Error('no referral');
  return eventsOf(referral);
}

test('the events of all referrals and clicks have the ids of the changes, and their advocates', async () => {
  const program = await aProgram(table);
  const [jane, john] = [await anAdvocate(table, program), await anAdvocate(table, program)];
  const [paid, moved, click] = [
    await aReferral(table, program, jane),
    await aReferral(table, program, jane),
    await aClick(table, program, john),
  ];
  await aReferral(table, await aProgram(table), jane);
  await setReferralState(table, program.id, paid.id, { state: 'paid', actor: 'stripe' });
  await reassignReferral(
    table,
    program,
    { id: moved.id, email: null, uid: null },
    { slug: john.slug, actor: 'operator' },
  );
  await eraseReferral(table, program.id, moved.id, 'operator');

  const found = await read(program.id);
  const expected = [
    ...(await stored(table, program.id, paid.id)).map((event) => ({ event, advocateId: jane.id })),
    ...(await stored(table, program.id, moved.id)).map((event) => ({ event, advocateId: john.id })),
    ...(await stored(table, program.id, click.id)).map((event) => ({ event, advocateId: john.id })),
  ];
  const byId = (events: typeof found) => events.toSorted((one, other) => (one.event.id < other.event.id ? -1 : 1));
  expect(byId(found)).toEqual(byId(expected));
  expect(found.map(({ event }) => event.id).toSorted()).toEqual(
    [`${paid.id}.1`, `${paid.id}.2`, `${moved.id}.1`, `${moved.id}.2`, `${moved.id}.3`, `${click.id}.1`].toSorted(),
  );

  const types = async (...wanted: EventType[]) => (await read(program.id, wanted)).map(({ event }) => event.type);
  expect(await types('referral.paid', 'referral.erased')).toEqual(
    expect.arrayContaining(['referral.paid', 'referral.erased']),
  );
  expect(await types('referral.clicked')).toEqual(['referral.clicked']);
  expect(await types('referral.churned')).toEqual([]);
});

test('the range contains its start, and excludes its end', async () => {
  const program = await aProgram(table);
  const jane = await anAdvocate(table, program);
  const start = seconds(now() - 1000);
  const ids: string[] = [];
  for (const offset of [0, 1, 2, 3]) {
    const at = seconds(start + offset);
    const { id } = await aReferral(table, program, jane, { createdAt: at, stateSetAt: at, updatedAt: at });
    ids.push(`${id}.1`);
  }
  const setAt = { from: seconds(start + 1), to: seconds(start + 3) };
  const found = await read(program.id, EVENT_TYPES, setAt);
  expect(found.map(({ event }) => event.id).toSorted()).toEqual(ids.slice(1, 3).toSorted());
});

test('referrals that changed after the range are read, but only their events in the range', async () => {
  const program = await aProgram(table);
  const jane = await anAdvocate(table, program);
  const at = seconds(now() - 1000);
  const { id } = await aReferral(table, program, jane, { createdAt: at, stateSetAt: at, updatedAt: at });
  await setReferralState(table, program.id, id, { state: 'paid', actor: 'merchant' });
  const before = await read(program.id, EVENT_TYPES, { from: at, to: seconds(at + 1) });
  expect(before.map(({ event }) => event.id)).toEqual([`${id}.1`]);
  const after = await read(program.id, EVENT_TYPES, { from: seconds(at + 1), to: seconds(LAST_SECOND) });
  expect(after.map(({ event }) => event.id)).toEqual([`${id}.2`]);
});

test('a referral that is moved while it is read has the id of its new advocate', async () => {
  const program = await aProgram(table);
  const [jane, john] = [await anAdvocate(table, program), await anAdvocate(table, program)];
  const { id } = await aReferral(table, program, jane);
  const reference = { id, email: null, uid: null };
  // The index named Jane's partition. The row is read again after the move.
  const move = () => reassignReferral(table, program, reference, { slug: john.slug, actor: 'operator' });
  proxied.proxy.next('BatchGetItem', { meanwhile: move });
  const found = [];
  for await (const page of pastEvents(proxied.faulty, program.id, EVENT_TYPES, EVER)) found.push(...page.events);
  expect(found).toContainEqual({ event: expect.objectContaining({ id: `${id}.2` }), advocateId: john.id });
  expect(found.map(({ advocateId }) => advocateId)).not.toContain(jane.id);
});
