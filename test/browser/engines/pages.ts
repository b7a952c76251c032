import { dayOf } from '../../../functions/kernel/days.ts';
import { until } from '../../support/engines/engine.ts';
import type { Scenarios } from '../../support/engines/scenario.ts';
import { anAdvocate, aReferral, aToken, now } from '../../support/program.ts';
import { addNumbers } from '../../support/statistics/statistics.ts';

/** The text of the page, as an expression. */
const TEXT = 'document.body.innerText';
const TODAY = () => dayOf(now());

/** The first story of each page. */
export const PAGES: Scenarios = {
  "The portal opens with a token, and shows the advocate's link and numbers": async ({ engine, shop }) => {
    const advocate = await anAdvocate(shop.table, shop.program());
    await addNumbers(shop.table, shop.program(), advocate.slug, TODAY(), { clicks: 1234 });
    const token = await aToken(shop.table, shop.program(), advocate);
    const { tab } = await engine.newVisitor();
    await tab.goto(shop.url('localhost', `/portal#token=${token}`));
    await until(tab, `${TEXT}.includes('1,234')`);
    const link = `https://acme.example/?via=${advocate.slug}`;
    await until(tab, `Array.from(document.querySelectorAll('input'), ({ value }) => value).includes('${link}')`);
  },
  'The dashboard opens with a token, and shows numbers and referrals': async ({ engine, shop }) => {
    const advocate = await anAdvocate(shop.table, shop.program());
    const { email } = await aReferral(shop.table, shop.program(), advocate);
    await addNumbers(shop.table, shop.program(), advocate.slug, TODAY(), { clicks: 4321 });
    const { tab } = await engine.newVisitor();
    await tab.goto(shop.url('localhost', '/dashboard'));
    await until(tab, "document.querySelector('input')");
    await tab.type('input', `${await aToken(shop.table, shop.program())}\n`);
    await until(tab, `${TEXT}.includes('4,321')`);
    await tab.evaluate("void (location.hash = '#/referrals')");
    await until(tab, `${TEXT}.includes('${email}')`);
  },
};
