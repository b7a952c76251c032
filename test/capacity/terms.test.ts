import { beforeAll, test } from '@jest/globals';
import { putCode } from '../../functions/codes/table/put-code.ts';
import { parseCommissionRules } from '../../functions/kernel/accounts/rules/commission-rules.ts';
import { commissionRulesId } from '../../functions/kernel/accounts/rules/commission-rules-id.ts';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { seconds } from '../../functions/kernel/time.ts';
import { usageOf } from '../bench/flood.ts';
import { type ApiRequest, type Send, sendToHandlers } from '../support/drivers.ts';
import { anAdvocate, aProgram, aReferral, aToken, newId, now } from '../support/program.ts';
import { aCheckout, SECRET, signedRequest, withSecrets } from '../support/stripe/stripe.ts';
import { anEmail } from '../support/table/track.ts';
import { aGroup, setRules } from '../support/terms.ts';
import { expectUsage } from '../support/usage.ts';
import { useCountingTable } from '../support/use-table.ts';

const table = useCountingTable();
const SENDS: readonly Send[] = Array.from({ length: 6 }, () => sendToHandlers(table, withSecrets([SECRET])));
const [CLICKS, CONVERSIONS, PAYMENTS, CHECKOUTS, READS, WRITES] = SENDS;
const RULES = [{ amounts: { usd: 300 }, payments: 1 }, { percentage: 20, paying_from: 10 }, { percentage: 10 }];
const PARSED = parseCommissionRules('', RULES);

let program: Program;
let token: string;
let slug: string;
let member: string;
let own: string;
beforeAll(async () => {
  program = await aProgram(table);
  token = await aToken(table, program);
  const jane = await anAdvocate(table, program);
  slug = jane.slug;
  own = await aToken(table, program, jane);
  await aGroup(table, program, 'creators', 15);
  member = (await anAdvocate(table, program, { group: 'creators' })).slug;
  await putCode(table, program.id, { code: 'JANE20', slug, promotionCodeId: 'promo_1' });
  await putCode(table, program.id, { code: 'MEMBER', slug: member, promotionCodeId: 'promo_2' });
});

const click = (of: string): ApiRequest => ({
  operation: 'trackClick',
  body: { pk: program.publicKey, gr_id: `${of}.${newId()}` },
});
const conversion = (by: object): ApiRequest => ({
  operation: 'trackConversionV2',
  token,
  body: { email: anEmail(), ...by },
});

test('a click of an advocate in a group reads once more with nothing cached, and nothing else', async () => {
  const { readUnits, writeUnits } = usageOf('click');
  await expectUsage(table, CLICKS, [
    ['the first one', click(member), 204, 3, 3, writeUnits],
    ['the next one', click(member), 204, 1, readUnits, writeUnits],
    ['the first one of no group', click(slug), 204, 2, 2, writeUnits],
  ]);
});

test('a conversion reads once more for a group with nothing cached, and for a code that leads to an advocate', async () => {
  const ofMember = { affiliate_slug: member };
  const gr = (of: string) => ({ gr_id: `${of}.${newId()}` });
  await expectUsage(table, CONVERSIONS, [
    ['with a cold function', conversion({ affiliate_slug: slug }), 201, 3, 1.5, 8],
    ['of no group', conversion({ affiliate_slug: slug }), 201, 2, 1, 8],
    ['of a group, the first one', conversion(ofMember), 201, 3, 2, 8],
    ['of a group, the next one', conversion(ofMember), 201, 2, 1, 8],
    ['with a code', conversion({ code: 'jane20' }), 201, 3, 2, 8],
    ['with a code of the advocate of the link', conversion({ code: 'jane20', ...gr(slug) }), 201, 2, 3, 8],
    ['with a code of another advocate', conversion({ code: 'jane20', ...gr(member) }), 201, 3, 4, 8],
    ['with a code that decides nothing', conversion({ code: 'jane20', ...ofMember }), 201, 2, 2, 8],
  ]);
});

test('a payment of a referral with rules reads its numbers with one more request, and its rules once', async () => {
  const ruled = await aProgram(table);
  const secret = await aToken(table, ruled);
  const jane = await anAdvocate(table, ruled);
  const paymentOf = async (rules: typeof RULES | null): Promise<ApiRequest> => {
    const { commissionRulesId = null } = rules ? await setRules(table, ruled, rules) : {};
    const at = seconds(now() - 3600);
    const times = { createdAt: at, stateSetAt: at, updatedAt: at };
    const { id } = await aReferral(table, ruled, jane, { commissionRulesId, ...times });
    const body = { id, payment_id: newId(), amount: 1000, currency: 'usd' };
    return { operation: 'recordPayment', token: secret, body };
  };
  await expectUsage(table, PAYMENTS, [
    ['with a cold function', await paymentOf(null), 201, 3, 2.5, 16],
    ['without rules', await paymentOf(null), 201, 2, 2, 16],
    ['with new rules that ask for nothing', await paymentOf([{ percentage: 10 }]), 201, 3, 3, 16],
    ['with rules that ask for nothing', await paymentOf([{ percentage: 10 }]), 201, 2, 2, 16],
    ['with new rules that ask for both numbers', await paymentOf(RULES), 201, 4, 5, 16],
    ['with rules that ask for both numbers', await paymentOf(RULES), 201, 3, 4, 16],
    ['with new rules that ask for payments', await paymentOf(RULES.slice(0, 1)), 201, 4, 4, 16],
    ['with rules that ask for payments', await paymentOf(RULES.slice(0, 1)), 201, 3, 3, 16],
  ]);
});

test('a checkout with discounts reads their codes and advocates with one more request', async () => {
  const checkout = (promotions: readonly string[], grId?: string) => {
    const fields = { email: anEmail(), promotions, version: '2025-03-31.basil', ...(grId !== undefined && { grId }) };
    return signedRequest(program.id, aCheckout(fields));
  };
  const grId = () => `${slug}.${newId()}`;
  await expectUsage(table, CHECKOUTS, [
    ['with a cold function, which notes the version', checkout([], grId()), 200, 4, 7, 13],
    ['without a discount', checkout([], grId()), 200, 2, 6, 12],
    ['with a discount', checkout(['promo_1']), 200, 3, 7, 12],
    ['with a discount of a group', checkout(['promo_2']), 200, 4, 8, 12],
    ['with two discounts', checkout(['promo_1', 'promo_2']), 200, 3, 10, 12],
    ['with two discounts and a link', checkout(['promo_1', 'promo_2'], grId()), 200, 3, 12, 12],
    ['with an unknown discount, which is a refusal', checkout(['promo_3']), 200, 3, 6, 1],
  ]);
});

test('groups, rules and codes take the fewest requests', async () => {
  const group = (name: string, body: object): ApiRequest => ({ operation: 'putGroup', token, name, body });
  const code = (code: string, body: object): ApiRequest => {
    return { operation: 'putCode', token, code, body: { affiliate_slug: slug, ...body } };
  };
  await expectUsage(table, WRITES, [
    ['a group, with a cold function', group('partners', {}), 200, 3, 1.5, 2],
    ['a group with rules', group('partners', { commission_rules: RULES }), 200, 3, 1, 3],
    ['the same group', group('partners', { commission_rules: RULES }), 200, 2, 1, 0],
    ['a code', code('NEW', {}), 200, 2, 2, 5],
    ['the same code', code('NEW', {}), 200, 1, 2, 0],
    ['a promotion code of a known code', code('NEW', { promotion_code_id: newId() }), 200, 2, 2, 4],
    ['a code with a promotion code', code('OTHER', { promotion_code_id: newId() }), 200, 2, 2, 7],
  ]);
  const get = (operation: ApiRequest['operation'], more: Partial<ApiRequest> = {}) => ({ operation, token, ...more });
  const rulesId = commissionRulesId(PARSED);
  await expectUsage(table, READS, [
    ['all groups, with a cold function, and their rules', get('listGroups'), 200, 3, 2.5, 0],
    ['all groups', get('listGroups'), 200, 1, 1, 0],
    ['rules', get('getCommissionRules', { rulesId }), 200, 0, 0, 0],
    ['unknown rules', get('getCommissionRules', { rulesId: '0123456789abcdef' }), 404, 1, 1, 0],
    ['the codes of a program', get('listCodes'), 200, 2, 2, 0],
    ['the codes of an advocate', get('listCodes', { query: `affiliate_slug=${slug}` }), 200, 3, 4, 0],
    ['own codes, with a new token', get('listOwnCodes', { token: own }), 200, 5, 5.5, 0],
    ['own codes', get('listOwnCodes', { token: own }), 200, 3, 4, 0],
  ]);
});
