import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { type AdvocateDraft, draftAdvocate } from '../../functions/advocates/rules/advocate-changes.ts';
import { createAdvocate, revokeAdvocateTokens, updateAdvocate } from '../../functions/advocates/table/advocates.ts';
import { type Advocate, EMPTY_ADVOCATE } from '../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { hashToken, makeToken, newToken } from '../../functions/kernel/accounts/rules/token.ts';
import { createTokenBy } from '../../functions/kernel/accounts/table/tokens.ts';
import { milliseconds, seconds } from '../../functions/kernel/time.ts';
import type { CustomerReference, Referral } from '../../functions/referrals/rules/referral.ts';
import type { State } from '../../functions/referrals/rules/state.ts';
import { findReferralId, lookUpReferral } from '../../functions/referrals/table/customers.ts';
import { eraseReferral, reassignReferral } from '../../functions/referrals/table/referrals.ts';
import { clickRecorder } from '../../functions/tracking/table/clicks.ts';
import { PUBLIC_CONVERSION, usageOf } from '../bench/flood.ts';
import { inSeries, metered } from '../support/meter.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, newId, now } from '../support/program.ts';
import { aReferralIn, set } from '../support/table/situations.ts';
import { anEmail, type ConversionInput, track } from '../support/table/track.ts';
import { atTime } from '../support/table.ts';
import { useCountingTable } from '../support/use-table.ts';

const table = useCountingTable();
let program: Program;
let jane: Advocate;
let john: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
  john = await anAdvocate(table, program, { uid: 'partner-1' });
});

/** A call, what prepares and returns it, and its requests, read units and write units. */
type Row = readonly [string, () => Promise<() => Promise<unknown>>, number, number, number];

const LONG = 'newsletter';
const direct = () => ({ slug: jane.slug, clickId: newId() });
const converting = (input: Partial<ConversionInput>) => async () => () =>
  track(table, program, { by: direct(), ...input });
const ofClick = (subId: string | null, input: Partial<ConversionInput>) => async () => {
  const { id } = await aClick(table, program, jane, { subId });
  return () => track(table, program, { by: { slug: jane.slug, clickId: id }, ...input });
};
const again = (first: Partial<ConversionInput>, changes: Partial<ConversionInput>) => async () => {
  const input = { by: direct(), email: anEmail(), ...first };
  await track(table, program, input);
  return () => track(table, program, { ...input, ...changes });
};

// Each item costs 2 units in a transaction: the referral, a claim, the idempotency record. Each index row costs 1 unit:
// two are new, and one or two change their key, which costs a deletion and an insertion.
const MOST = usageOf('conversion of a click, with all fields');
const CONVERSIONS: readonly Row[] = [
  ['a conversion of a click', ofClick(null, {}), 2, 2, usageOf('conversion of a click').writeUnits],
  ['the same, with all fields', ofClick(LONG, { uid: 'most', key: newId() }), 2, MOST.readUnits, MOST.writeUnits],
  ['a conversion without a click', converting({}), 2, 2, 8],
  [
    'the same, with all fields',
    converting({ uid: 'other', subId: LONG, key: newId() }),
    ...([2, 3, PUBLIC_CONVERSION.writeUnits] as const),
  ],
  ['a replay', again({ key: newId() }, {}), 1, 3, 0],
];
const REFUSED_CONVERSIONS: readonly Row[] = [
  ['a conversion of a known email', again({}, {}), 2, 2, 0],
  [
    'a conversion by an unknown slug',
    converting({ by: { slug: 'nobody', clickId: newId() }, key: newId() }),
    ...([1, 3, 0] as const),
  ],
];

const clickWithoutCache = () =>
  clickRecorder(table.clock)(table, { publicKey: program.publicKey, slug: jane.slug, clickId: newId(), subId: LONG });
const CLICKS: readonly Row[] = [
  ['a click', async () => () => aClick(table, program, jane), 1, 0, 2],
  ['a click with nothing cached', async () => clickWithoutCache, 2, 2, 3],
];

type Names = (customer: Referral) => Partial<CustomerReference>;
const byEmail: Names = ({ email }) => ({ email });
const byUid: Names = ({ customerUid: uid }) => ({ uid });
const reference = (names: Partial<CustomerReference>) => ({ email: null, uid: null, id: null, ...names });

/** Prepares a call with the names of a customer, at an hour after the referral was created. */
const customer =
  (names: Names, call: (of: CustomerReference) => Promise<unknown>, subId: string | null = null) =>
  async () => {
    const changes = { email: anEmail(), customerUid: `cus_${newId().slice(-8)}`, subId };
    const referral = await aReferral(table, program, jane, changes);
    return () => call(reference(names(referral)));
  };
const later = atTime(table, () => milliseconds(Date.now() + 3_600_000));
const lookUp = (of: CustomerReference) => lookUpReferral(table, program.id, of);
const setting = (state: State) => async (of: CustomerReference) =>
  set(later, program, await findReferralId(table, program.id, of), state);
const moving = (slug: () => string) => (of: CustomerReference) =>
  reassignReferral(later, program, of, { slug: slug(), actor: 'merchant' });
const whoIsPaid = (state: State) => async () => {
  const { email } = await aReferralIn(table, program, jane, 'paid');
  return () => setting(state)(reference({ email }));
};
const toJohn = moving(() => john.slug);
const erasing = async () => {
  const { referral } = await track(table, program, { by: direct(), uid: newId(), key: newId() });
  return () => eraseReferral(table, program.id, referral.id, 'operator');
};

const CUSTOMERS: readonly Row[] = [
  // The claim is read with half a unit. The consistent read of the referral confirms it.
  ['a lookup by email', customer(byEmail, lookUp), 2, 2.5, 0],
  ['a lookup by uid', customer(byUid, lookUp), 2, 2.5, 0],
  ['a lookup by id', customer(({ id }) => ({ id }), lookUp), 1, 2, 0],
  // The row, its entry in the list by creation, and a deletion and an insertion in each list by state and by state time.
  ['setting a state by email', customer(byEmail, setting('paid')), 3, 2, 8],
  ['setting a state that is already set', whoIsPaid('paid'), 2, 2, 0],
  // The row, and a deletion and an insertion in each list: by creation, by state, by state time, and by sub id.
  ['a move by email', customer(byEmail, toJohn), 3, 3, 8],
  [
    'a move to its own advocate',
    customer(
      byEmail,
      moving(() => jane.slug),
    ),
    2,
    3,
    0,
  ],
  // The row, two claims, the idempotency record and three items of refusals in a transaction, and the row in four indexes.
  ['an erasure', erasing, 2, 1, 18],
];
const REFUSED_CUSTOMERS: readonly Row[] = [
  ['a lookup of an unknown email', customer(() => ({ email: anEmail() }), lookUp), 2, 1.5, 0],
];

const draft = (fields: Partial<AdvocateDraft>) => {
  const person = { firstName: 'Jane', lastName: 'Doe', email: 'jane.smith82@example.com', commissionPercentage: 12.5 };
  const values = { id: newId(), now: now(), random: randomBytes };
  return draftAdvocate({ ...EMPTY_ADVOCATE, ...person, ...fields }, { slugs: 'names' }, values);
};
const creating = (fields: Partial<AdvocateDraft>) => async () => () => {
  const { advocate, otherSlugs } = draft(fields);
  return createAdvocate(table, program.id, advocate, { otherSlugs });
};
const updating = (changes: Parameters<typeof updateAdvocate>[3]) => async () => {
  const { slug } = await anAdvocate(table, program, { uid: newId() });
  return () => updateAdvocate(table, program.id, slug, changes);
};
const creatingToken = async () => {
  const creator = hashToken(await aToken(table, program));
  const record = newToken({ advocate: jane, expiresAt: seconds(now() + 3600) }, newId(), now());
  return () => createTokenBy(table, program, { token: makeToken('affiliate', randomBytes), record, creator });
};
const revokingTokens = async () => {
  const advocate = await anAdvocate(table, program);
  for (let count = 0; count < 5; count += 1) await aToken(table, program, advocate);
  return () => revokeAdvocateTokens(table, program.id, advocate.slug);
};
const ADVOCATES: readonly Row[] = [
  // Each item costs 2 units in a transaction: the advocate, and the claim of its uid. The row of the list costs 1 unit.
  ['creating an advocate with a slug', creating({ slug: 'own' }), 1, 0, 5],
  ['creating an advocate with a derived slug and a uid', creating({ firstName: 'Zoë', uid: 'cus_00000002' }), 2, 4, 7],
  ['updating the uid of an advocate', updating({ uid: 'cus_00000009' }), 2, 1, 7],
  ['an update of an advocate that changes nothing', updating({ active: true }), 1, 1, 0],
  // The creator; the token, and its row in the list of tokens.
  ['creating a token of an advocate', creatingToken, 2, 1, 2],
  ['revoking all tokens of an advocate', revokingTokens, 2, 1, 2],
];

const NAME = '%s uses %d requests, %d read units and %d write units';
const CALLS = [...CONVERSIONS, ...CLICKS, ...CUSTOMERS, ...ADVOCATES].map(
  ([name, prepare, ...usage]) => [name, ...usage, prepare] as const,
);
test.each(CALLS)(NAME, async (_, requests, readUnits, writeUnits, prepare) => {
  expect(await metered(table, await prepare())).toMatchObject({ requests, readUnits, writeUnits });
});

const REFUSED = [...REFUSED_CONVERSIONS, ...REFUSED_CUSTOMERS].map(
  ([name, prepare, ...usage]) => [name, ...usage, prepare] as const,
);
test.each(REFUSED)(`the refusal of ${NAME}`, async (_, requests, readUnits, writeUnits, prepare) => {
  const call = await prepare();
  const reading = await metered(table, () => expect(call()).rejects.toThrow());
  expect(reading).toMatchObject({ requests, readUnits, writeUnits });
});

test('creating an advocate whose names are taken four times uses one read: the slugs are read together', async () => {
  for (const end of ['', '-2', '-3', '-4']) await anAdvocate(table, program, { slug: `roe-roe${end}` });
  const create = await creating({ firstName: 'Roe', lastName: 'Roe', uid: newId() })();
  const { result, ...reading } = await metered(table, () => inSeries(table, create));
  expect([result.result.slug, result.rounds]).toEqual(['roe-roe-5', 2]);
  expect(reading).toMatchObject({ requests: 2, writeUnits: 7 });
});
