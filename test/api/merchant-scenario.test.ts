import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Program } from '../../functions/domain/program.ts';
import { ALL_DRIVERS } from '../support/drivers.ts';
import { aProgram, aToken, newId } from '../support/program.ts';
import { outcomeOf, REFERRAL_NOT_FOUND } from '../support/responses.ts';
import { useTable } from '../support/use-table.ts';

const table = useTable();
let program: Program;
let token: string;
beforeAll(async () => {
  program = await aProgram(table, { siteUrl: 'https://shop.example/', commissionPercentage: 20, commissionMonths: 12 });
  token = await aToken(table, program);
});

describe.each(ALL_DRIVERS)('a merchant without a terminal, through %s', (_, connect) => {
  const send = connect(table);

  test('a merchant creates advocates and tokens, and looks up, counts, moves and erases referrals', async () => {
    const mailbox = `ana.${newId().slice(-12)}`;
    const created = await send({
      operation: 'createAdvocate',
      token,
      body: { email: `${mailbox}@gmail.com`, first_name: 'Ana', last_name: mailbox, commission_percentage: 25 },
    });
    expect(created.status).toBe(201);
    const { slug, referral_link } = created.json.data.attributes;
    expect(new URL(referral_link).searchParams.get('via')).toBe(slug);
    const minted = await send({ operation: 'createAdvocateToken', token, slug });
    const affiliate = minted.json.data.attributes.token;

    // A visitor follows the link. The payment provider carries its gr_id, which cannot contain a dot there.
    const click = newId();
    const body = { pk: program.publicKey, gr_id: `${slug}.${click}`, sub_id: 'newsletter' };
    const clicked = await send({ operation: 'trackClick', body });
    expect([clicked.status, clicked.headers['x-click']]).toEqual([204, 'recorded']);
    const convert = (customer: object) => send({ operation: 'trackConversionV2', token, body: customer });
    const converted = await convert({ gr_id: `${slug}_${click}`, uid: `customer-${click}` });
    expect([converted.status, converted.json.data.id]).toEqual([201, click]);
    const selfEmail = `${mailbox.replace('.', '')}+shop@googlemail.com`;
    const self = await convert({ affiliate_slug: slug, email: selfEmail });
    expect(self.status).toBe(201);

    const lookUp = (customer: object) => send({ operation: 'lookUpReferral', token, body: customer });
    expect((await lookUp({ uid: `customer-${click}` })).json.data).toMatchObject({
      id: click,
      attributes: { affiliate_slug: slug, flags: [], commission_percentage: 25, sub_id: 'newsletter' },
    });
    expect((await lookUp({ email: selfEmail })).json.data.attributes.flags).toEqual(['self_referral']);
    const rejected = await send({ operation: 'setState', token, body: { id: self.json.data.id, state: 'rejected' } });
    expect(rejected.status).toBe(200);

    // The advocate sees its referrals and their number, but no flags.
    const seen = await send({ operation: 'listReferrals', token: affiliate });
    expect(seen.json.data).toHaveLength(2);
    expect(seen.text).not.toContain('self_referral');
    const ownCounts = await send({ operation: 'countOwnReferrals', token: affiliate, query: 'group_by=sub_id' });
    expect(ownCounts.json.data).toMatchObject({
      id: slug,
      attributes: {
        total: { clicked: 0, converted: 1, paid: 0, churned: 0, rejected: 1 },
        groups: [
          { key: 'newsletter', converted: 1 },
          { key: null, rejected: 1 },
        ],
      },
    });

    const other = await send({ operation: 'createAdvocate', token, body: { email: 'omar@partners.example' } });
    const { slug: affiliate_slug } = other.json.data.attributes;
    const moved = await send({ operation: 'reassignReferral', token, body: { id: click, affiliate_slug } });
    expect(moved.json.data.attributes).toMatchObject({ affiliate_slug, commission_percentage: 20, state: 'converted' });
    const totalOf = async (each: string) => {
      const { json } = await send({ operation: 'countReferrals', token, query: `affiliate_slug=${each}` });
      return json.data.attributes.total;
    };
    expect([(await totalOf(slug)).converted, (await totalOf(affiliate_slug)).converted]).toEqual([0, 1]);

    const uid = `customer-${click}`;
    expect((await send({ operation: 'eraseCustomer', token, body: { uid } })).status).toBe(204);
    expect(outcomeOf(await lookUp({ uid }))).toEqual(REFERRAL_NOT_FOUND);
    const { history, ...attributes } = (await lookUp({ id: click })).json.data.attributes;
    expect(attributes).toMatchObject({ email: null, uid: null, state: 'converted', sub_id: 'newsletter' });
    expect(history).toMatchObject([
      { type: 'state', state: 'clicked', by: 'visitor' },
      { type: 'state', state: 'converted', by: 'merchant' },
      { type: 'reassignment', from: slug, to: affiliate_slug, by: 'merchant' },
      { type: 'erasure', by: 'merchant' },
    ]);

    const renamed = await send({
      operation: 'updateAdvocate',
      token,
      slug,
      body: { first_name: 'Anna', active: false },
    });
    expect(renamed.json.data.attributes).toMatchObject({ first_name: 'Anna', active: false, slug });
    expect((await send({ operation: 'listReferrals', token: affiliate })).status).toBe(200);
    expect(outcomeOf(await convert({ affiliate_slug: slug, uid }))).toEqual([
      400,
      'invalid_affiliate_slug',
      'Invalid affiliate slug',
    ]);
    expect((await convert({ affiliate_slug, uid })).status).toBe(201);
  });
});
