import { randomBytes, randomUUID } from 'node:crypto';
import { type Advocate, draftAdvocate, EMPTY_ADVOCATE } from '../../functions/domain/advocate.ts';
import type { Grouping } from '../../functions/domain/counts.ts';
import type { Program } from '../../functions/domain/program.ts';
import type { Conversion } from '../../functions/domain/referral/conversion.ts';
import { seconds } from '../../functions/domain/time.ts';
import { createAdvocate, findAdvocate, updateAdvocate } from '../../functions/table/advocates.ts';
import { callersOf } from '../../functions/table/callers.ts';
import { readPage } from '../../functions/table/dynamodb/page.ts';
import { planReferrals } from '../../functions/table/dynamodb/plan.ts';
import { clickRecorder } from '../../functions/table/referrals/clicks.ts';
import { trackConversion } from '../../functions/table/referrals/conversions.ts';
import { countReferrals } from '../../functions/table/referrals/counts.ts';
import { findReferralId, lookUpReferral } from '../../functions/table/referrals/customers.ts';
import { eraseReferral, reassignReferral, setReferralState } from '../../functions/table/referrals/referrals.ts';
import { reported } from '../support/conversion.ts';
import { metered, type Reading } from '../support/meter.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, newId } from '../support/program.ts';
import { addCopies } from '../support/table/many-rows.ts';
import type { TestTable } from '../support/table.ts';

/** An operation with its requests and capacity units. */
export type Measured = Reading & { readonly operation: string };

const START = seconds(1_700_000_000);
const PER_PAGE = 50;

/** Requests and capacity units of each operation, as the engine counts them, over lists of up to 30,000 rows. */
export async function capacities(table: TestTable): Promise<Measured[]> {
  const program = await aProgram(table);
  const advocate = await anAdvocate(table, program, { uid: 'partner-1' });
  const rows: Measured[] = [];
  const measure = async (operation: string, work: () => Promise<unknown>) => {
    const { result: _, ...reading } = await metered(table, work);
    rows.push({ operation, ...reading });
  };
  const authenticate = callersOf(table.clock).byToken;
  const token = await aToken(table, program);
  await measure('token with a wrong checksum', () => authenticate(table, `rtp_${'0'.repeat(36)}`));
  await measure('token not seen for 30 s', () => authenticate(table, token));
  await measureClicks(table, program, advocate, measure);
  for (const [name, subId, key, uid] of [
    ['conversion of a click', null, false, null],
    ['conversion of a click, with Idempotency-Key', null, true, null],
    ['conversion of a click, with sub id', 'newsletter', false, null],
    ['conversion of a click, with both', 'newsletter', true, null],
    ['conversion of a click, with both, by email and uid (the most)', 'newsletter', true, 'customer-1'],
  ] as const) {
    const click = await aClick(table, program, advocate, { subId });
    const byClick = { slug: advocate.slug, clickId: click.id };
    await measure(name, () => convert(table, program, byClick, key, uid));
  }
  const bySlug = { slug: advocate.slug, clickId: null };
  await measure('V2 conversion by slug, email and uid', () => convert(table, program, bySlug, false, randomUUID()));
  const byUid = { publicKey: program.publicKey, uid: 'partner-1' };
  await measure('V1 conversion by pk and uid', () => convert(table, program, byUid, false));
  await measureChanges(table, program, advocate, measure);
  await measureAdvocates(table, program, measure);
  await measurePages(table, program, advocate, measure);
  return rows;
}

type Measure = (operation: string, work: () => Promise<unknown>) => Promise<void>;

async function measureClicks(table: TestTable, program: Program, { slug }: Advocate, measure: Measure): Promise<void> {
  const record = clickRecorder(table.clock);
  const click = (subId: string | null) => () =>
    record(table, { publicKey: program.publicKey, slug, clickId: newId(), subId });
  await measure('click of a program and slug not seen for 30 s', click(null));
  await measure('click', click(null));
  await measure('click with sub id', click('newsletter'));
}

async function measureChanges(table: TestTable, program: Program, advocate: Advocate, measure: Measure): Promise<void> {
  // Created earlier, so that the state is set in a later second, as in practice.
  const { email } = await aReferral(table, program, advocate, { createdAt: START, stateSetAt: START });
  const customer = { id: null, email, uid: null };
  const pay = async () => {
    const id = await findReferralId(table, program.id, customer);
    return setReferralState(table, program.id, id, { state: 'paid', actor: 'merchant' });
  };
  await measure('setting a state', pay);
  await measure('setting the current state', pay);
  await measure('lookup, by email', () => lookUpReferral(table, program.id, customer));
  const { slug } = await anAdvocate(table, program);
  await measure('moving a referral, by email', () =>
    reassignReferral(table, program, customer, { slug, actor: 'merchant' }),
  );
  await measure('erasing a person, by email', async () => {
    const id = await findReferralId(table, program.id, customer);
    return eraseReferral(table, program.id, id, 'operator');
  });
}

async function measureAdvocates(table: TestTable, program: Program, measure: Measure): Promise<void> {
  const email = 'jane.smith82@example.com';
  const fields = { ...EMPTY_ADVOCATE, email, firstName: 'Jane', lastName: 'Smith', uid: 'partner-2' };
  const { advocate, otherSlugs } = draftAdvocate(
    fields,
    { slugs: 'names' },
    { id: newId(), now: START, random: randomBytes },
  );
  await measure('creating an advocate without a slug', () => createAdvocate(table, program.id, advocate, otherSlugs));
  await measure("changing an advocate's uid", () =>
    updateAdvocate(table, program.id, advocate.slug, { uid: 'partner-3' }),
  );
  await measure('creating a token for an advocate', async () =>
    aToken(table, program, await findAdvocate(table, program.id, advocate.slug)),
  );
}

async function measurePages(table: TestTable, program: Program, advocate: Advocate, measure: Measure): Promise<void> {
  const customer = { email: 'jane.smith82@example.com', customerUid: 'cus_12345678' };
  const sample = await aReferral(table, program, advocate, { createdAt: START, ...customer, subId: 'newsletter' });
  const none = { state: undefined, subId: undefined, createdAt: undefined, stateSetAt: undefined };
  const plan = planReferrals(program.id, advocate.slug, none);
  const read = (page: number) => () => readPage(table, plan, { skip: (page - 1) * PER_PAGE }, PER_PAGE);
  await addCopies(table, program, sample, { from: 1, to: 1000 });
  await measure('page 1 of 1,000 referrals', read(1));
  await addCopies(table, program, sample, { from: 1000, to: 10_000 });
  for (const page of [1, 20, 50, 100, 150, 200]) await measure(`page ${page} of 10,000 referrals`, read(page));
  const all = { subId: undefined, createdAt: undefined, clicks: true };
  const count = (grouping?: Grouping) => countReferrals(table, program.id, advocate.slug, { ...all, grouping });
  await measure('counts of 10,000 referrals', () => count());
  await measure('counts of 10,000 referrals by day', () => count('day'));
  await addCopies(table, program, sample, { from: 10_000, to: 30_000 });
  await measure('page 1 of 30,000 referrals', read(1));
}

function convert(
  table: TestTable,
  program: Program,
  attribution: Conversion['attribution'],
  withKey: boolean,
  uid: string | null = null,
) {
  const email = `${randomUUID()}@shop.example`;
  const conversion = { attribution, reported: reported({ email, customerUid: uid }) };
  const idempotent = withKey ? { key: randomUUID(), route: 'bench' } : undefined;
  return trackConversion(table, { program, conversion, actor: 'merchant', idempotent, newId: newId() });
}
