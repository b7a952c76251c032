import { describe, expect, test } from '@jest/globals';
import { DRIVERS, sendToHandlers } from '../../support/drivers.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { anAdvocate, aProgram, aReferral, aToken } from '../../support/program.ts';
import { idsOf, outcomeOf } from '../../support/responses.ts';
import { allItems } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const PERSON = {
  email: 'maria.novak@partners.example',
  firstName: 'Maria',
  lastName: 'Novak',
  uid: 'partner-4711',
  companyId: 'company-1',
  company: 'Novak Media',
  metadata: { tier: 'gold' },
};

describe.each(DRIVERS)('POST /v2/advocates/{slug}/erase through %s', (_, connect) => {
  const send = connect(table);

  test('an erased advocate keeps slug and referrals, and loses everything about the person', async () => {
    const program = await aProgram(table);
    const token = await aToken(table, program);
    const advocate = await anAdvocate(table, program, PERSON);
    const referral = await aReferral(table, program, advocate);
    const { slug } = advocate;
    expect((await send({ operation: 'eraseAdvocate', token, slug: slug.toUpperCase() })).status).toBe(204);
    const { json } = await send({ operation: 'getAdvocate', token, slug });
    const empty = { email: null, first_name: null, last_name: null, uid: null };
    expect(json.data.attributes).toMatchObject({
      ...empty,
      slug,
      company_id: program.id,
      company: program.name,
      active: false,
      metadata: {},
    });
    const listed = await send({ operation: 'listAdvocates', token });
    expect(listed.json.data).toEqual([expect.objectContaining({ attributes: expect.objectContaining(empty) })]);
    expect(idsOf(await send({ operation: 'listReferralsV2', token, query: `affiliate_slug=${slug}` }))).toEqual([
      referral.id,
    ]);
    const items = (await allItems(table)).filter(({ pk }) => String(pk).includes(program.id));
    expect(JSON.stringify(items)).not.toMatch(/maria|novak|partner-4711|company-1|gold/i);
    // Its uid is free again, its slug never.
    const body = { email: 'new@partners.example', uid: PERSON.uid };
    expect((await send({ operation: 'createAdvocate', token, body })).status).toBe(201);
    const same = await send({ operation: 'createAdvocate', token, body: { email: body.email, slug } });
    expect(outcomeOf(same)[1]).toBe('slug_taken');
  });

  test('an erased advocate is not changed, gets no tokens, and can be erased again', async () => {
    const program = await aProgram(table);
    const token = await aToken(table, program);
    const { slug } = await anAdvocate(table, program, PERSON);
    await send({ operation: 'eraseAdvocate', token, slug });
    await expectUnchanged(table, async () => {
      const erased = [409, 'advocate_erased', 'The advocate was erased. Create a new advocate.'];
      const change = { operation: 'updateAdvocate', token, slug, body: { active: true } } as const;
      expect(outcomeOf(await send(change))).toEqual(erased);
      expect(outcomeOf(await send({ operation: 'createAdvocateToken', token, slug }))).toEqual(erased);
      expect((await send({ operation: 'eraseAdvocate', token, slug })).status).toBe(204);
      const unknown = await send({ operation: 'eraseAdvocate', token, slug: 'nobody' });
      expect(outcomeOf(unknown)).toEqual([404, 'advocate_not_found', 'Advocate not found']);
    });
  });

  test('tokens of an erased advocate are refused', async () => {
    const program = await aProgram(table);
    const advocate = await anAdvocate(table, program, PERSON);
    const own = await aToken(table, program, advocate);
    await send({ operation: 'eraseAdvocate', token: await aToken(table, program), slug: advocate.slug });
    expect(outcomeOf(await send({ operation: 'listReferrals', token: own }))[0]).toBe(401);
  });
});

test('an erasure whose response is lost, and one beside a change, leave nothing of the person', async () => {
  const program = await aProgram(table);
  const token = await aToken(table, program);
  const { slug } = await anAdvocate(table, program, PERSON);
  proxied.proxy.next('TransactWriteItems', 'lose');
  const [faulty, send] = [sendToHandlers(proxied.faulty), sendToHandlers(table)];
  const change = { operation: 'updateAdvocate', token, slug, body: { first_name: 'Maria', uid: 'x-4711' } } as const;
  const [erased] = await Promise.all([faulty({ operation: 'eraseAdvocate', token, slug }), send(change)]);
  expect(erased.status).toBe(204);
  const items = (await allItems(table)).filter(({ pk }) => String(pk).includes(program.id));
  expect(JSON.stringify(items)).not.toMatch(/maria|novak|x-4711/i);
});
