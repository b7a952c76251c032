import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { Referral } from '../../../functions/domain/referral/referral.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, newId } from '../../support/program.ts';
import { AFFILIATE_REFUSED, idsOf, listedAttributes, outcomeOf, REFERRAL_NOT_FOUND } from '../../support/responses.ts';
import { anEmail } from '../../support/table/track.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let from: Advocate;
let to: Advocate;
let token: string;
let referral: Referral;
beforeAll(async () => {
  program = await aProgram(table, { commissionPercentage: 20 });
  from = await anAdvocate(table, program, { commissionPercentage: 10 });
  to = await anAdvocate(table, program, { commissionPercentage: 15, uid: newId() });
  token = await aToken(table, program);
});
const aCustomer = () => ({ email: anEmail(), customerUid: newId() });
beforeEach(async () => {
  referral = await aReferral(table, program, from, { ...aCustomer(), state: 'paid', subId: 'news' });
});

const NOT_CONVERTED = [409, 'not_converted', 'A click cannot be reassigned'];
const AMBIGUOUS = [400, 'invalid_field', 'email, uid and id must belong to the same referral'];

describe.each(DRIVERS)('POST /v2/tracking/reassign through %s', (_, connect) => {
  const send = connect(table);
  const reassign = (body: object, affiliate_slug: unknown = to.slug) =>
    send({ operation: 'reassignReferral', token, body: { affiliate_slug, ...body } });
  const lookUp = async (id: string) =>
    (await send({ operation: 'lookUpReferral', token, body: { id } })).json.data.attributes;

  test("a move gives the referral to the advocate, at its rate, and returns the merchant's form", async () => {
    const before = await lookUp(referral.id);
    const { status, json } = await reassign({ email: referral.email }, to.slug.toUpperCase());
    const { updated_at } = json.data.attributes;
    expect(updated_at).toBeGreaterThanOrEqual(before.updated_at);
    const changes = { affiliate_slug: to.slug, commission_percentage: 15, updated_at };
    const attributes = { ...listedAttributes(before), ...changes };
    expect([status, json]).toEqual([200, { data: { id: referral.id, type: 'referral', attributes } }]);
    const move = { type: 'reassignment', from: from.slug, to: to.slug, set_at: updated_at, by: 'merchant' };
    expect(await lookUp(referral.id)).toEqual({ ...before, ...changes, history: [...before.history, move] });
  });

  test('a referral is moved by uid, by id, and by all identifiers', async () => {
    const { id, email, customerUid: uid } = referral;
    for (const [body, slug] of [
      [{ uid }, to.slug],
      [{ id }, from.slug],
      [{ id, email, uid }, to.slug],
    ] as const) {
      const { status, json } = await reassign(body, slug);
      expect([status, json.data.id, json.data.attributes.affiliate_slug]).toEqual([200, id, slug]);
    }
  });

  test('a move is visible immediately in the lists and counts of both advocates', async () => {
    const [one, other] = [await anAdvocate(table, program), await anAdvocate(table, program)];
    const { id } = await aReferral(table, program, one, { subId: 'news' });
    await reassign({ id }, other.slug);
    for (const [{ slug }, ids] of [
      [one, []],
      [other, [id]],
    ] as const) {
      for (const filter of ['', '&state_eq=converted', '&sub_id_eq=news', '&state_set_at_gt=2020-01-01T00:00:00Z']) {
        const query = `affiliate_slug=${slug}${filter}`;
        expect(idsOf(await send({ operation: 'listReferralsV2', token, query }))).toEqual(ids);
      }
      const { json } = await send({ operation: 'countReferrals', token, query: `affiliate_slug=${slug}` });
      expect(json.data.attributes.total.converted).toBe(ids.length);
    }
  });

  test('a moved referral has the rate of the program if the advocate has no own rate', async () => {
    const other = await anAdvocate(table, program);
    expect((await reassign({ id: referral.id }, other.slug)).json.data.attributes.commission_percentage).toBe(20);
  });

  test('a move to the same advocate succeeds and changes nothing', async () => {
    await updateAdvocate(table, program.id, from.slug, { commissionPercentage: 11 });
    await expectUnchanged(table, async () => {
      const { status, json } = await reassign({ uid: referral.customerUid }, from.slug);
      expect([status, json.data.attributes]).toEqual([200, listedAttributes(await lookUp(referral.id))]);
      expect(json.data.attributes.commission_percentage).toBe(10);
    });
    await updateAdvocate(table, program.id, from.slug, { commissionPercentage: 10 });
  });

  test('a repeated move changes nothing', async () => {
    const first = await reassign({ id: referral.id });
    await expectUnchanged(table, async () => {
      const again = await reassign({ id: referral.id });
      expect([again.status, again.text]).toEqual([200, first.text]);
    });
  });

  test('a move computes the flags again', async () => {
    const self = await anAdvocate(table, program, { email: `${newId()}@partners.example`, uid: newId() });
    const flagsAfter = async (id: string, slug: string) => (await reassign({ id }, slug)).json.data.attributes.flags;
    const { id: byEmail } = await aReferral(table, program, from, { email: self.email });
    expect(await flagsAfter(byEmail, self.slug)).toEqual(['self_referral']);
    expect(await flagsAfter(byEmail, from.slug)).toEqual([]);
    const { id: byUid } = await aReferral(table, program, from, { email: null, customerUid: self.uid });
    expect(await flagsAfter(byUid, self.slug)).toEqual(['self_referral']);
  });

  test('the customer stays unique after a move', async () => {
    const { email, customerUid: uid } = referral;
    await reassign({ email });
    for (const customer of [{ email }, { uid }]) {
      const body = { affiliate_slug: from.slug, ...customer };
      const response = await send({ operation: 'trackConversionV2', token, body });
      expect(outcomeOf(response)).toEqual([409, 'referral_exists', 'Referral already exists']);
    }
  });

  test.each(['converted', 'churned', 'rejected'] as const)('a referral that is %s keeps its state', async (state) => {
    const { id } = await aReferral(table, program, from, { ...aCustomer(), state });
    expect((await reassign({ id })).json.data.attributes).toMatchObject({ state, affiliate_slug: to.slug });
  });

  test('a click returns 409, also if it was rejected', async () => {
    const { id } = await aClick(table, program, from);
    expect(outcomeOf(await reassign({ id }))).toEqual(NOT_CONVERTED);
    expect(outcomeOf(await reassign({ id }, from.slug))).toEqual(NOT_CONVERTED);
    await send({ operation: 'setState', token, body: { id, state: 'rejected' } });
    await expectUnchanged(table, async () => expect(outcomeOf(await reassign({ id }))).toEqual(NOT_CONVERTED));
  });

  test('an erased referral can be moved by its id', async () => {
    const { id } = referral;
    await send({ operation: 'eraseCustomer', token, body: { id } });
    const { json } = await reassign({ id });
    expect(json.data.attributes).toMatchObject({ affiliate_slug: to.slug, email: null, uid: null, flags: [] });
    const types = (await lookUp(id)).history.map(({ type }: { type: string }) => type);
    expect(types).toEqual(['state', 'state', 'erasure', 'reassignment']);
  });

  test('an invalid advocate returns the same 400 for a known and an unknown customer', async () => {
    const idle = await anAdvocate(table, program);
    await updateAdvocate(table, program.id, idle.slug, { active: false });
    const theirs = await anAdvocate(table, await aProgram(table));
    const click = await aClick(table, program, from);
    const other = await aReferral(table, program, from, aCustomer());
    const customers = [
      { email: referral.email },
      { id: referral.id },
      { email: anEmail() },
      { uid: newId() },
      { id: newId() },
      { id: click.id },
      { email: referral.email, uid: other.customerUid },
    ];
    await expectUnchanged(table, async () => {
      for (const slug of ['nobody', idle.slug, theirs.slug]) {
        for (const customer of customers) expect(outcomeOf(await reassign(customer, slug))).toEqual(AFFILIATE_REFUSED);
      }
    });
  });

  test('a deactivated advocate can lose a referral, but gets none, not even its own', async () => {
    const idle = await anAdvocate(table, program);
    const { id } = await aReferral(table, program, idle);
    await updateAdvocate(table, program.id, idle.slug, { active: false });
    expect(outcomeOf(await reassign({ id }, idle.slug))).toEqual(AFFILIATE_REFUSED);
    expect((await reassign({ id })).status).toBe(200);
  });

  test('an unknown customer returns 404, identifiers of two referrals 400', async () => {
    const other = await aReferral(table, program, from, aCustomer());
    await expectUnchanged(table, async () => {
      for (const body of [{ email: anEmail() }, { uid: newId() }, { id: newId() }]) {
        expect(outcomeOf(await reassign(body))).toEqual(REFERRAL_NOT_FOUND);
      }
      expect(outcomeOf(await reassign({ email: referral.email, uid: other.customerUid }))).toEqual(AMBIGUOUS);
      expect(outcomeOf(await reassign({ email: referral.email, id: newId() }))).toEqual(AMBIGUOUS);
    });
  });

  test('simultaneous moves to several advocates are all made, and the last one counts', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => anAdvocate(table, program)));
    const responses = await Promise.all(others.map(({ slug }) => reassign({ id: referral.id }, slug)));
    expect(responses.map(({ status }) => status)).toEqual(others.map(() => 200));
    const { history, affiliate_slug } = await lookUp(referral.id);
    const moves = history.filter(({ type }: { type: string }) => type === 'reassignment');
    expect(moves.map(({ to: slug }: { to: string }) => slug).toSorted()).toEqual(
      others.map(({ slug }) => slug).toSorted(),
    );
    expect(moves.at(-1).to).toBe(affiliate_slug);
    for (const [index, { from: slug }] of moves.entries()) expect(slug).toBe(moves[index - 1]?.to ?? from.slug);
  });
});
