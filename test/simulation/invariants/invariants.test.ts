import { describe, expect, test } from '@jest/globals';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { keyOf, referralKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { PROMISES, type PromiseName } from '../knowledge.ts';
import type { Tampering } from '../run.ts';
import { type Row, rowsOf } from './rows.ts';
import { brokenIn, change, emailLike, first, item, newest, onData, onStatus, onText } from './tampering.ts';

// Each promise gets a world with one fault that breaks it, and no other one.

const imported = ({ referral }: Row) => referral.history[0]?.by === 'import' && referral.email !== null;

/** What breaks each promise: a change of a finished world, or a fault of the service. */
const FAULTS: Readonly<Record<PromiseName, Tampering>> = {
  'unique-customer': {
    afterwards: (evidence) => {
      const { item, program } = first(rowsOf(evidence.table), imported);
      const id = '019c0000-0000-7000-8000-000000000000';
      const created = String(item['created']).replace(/#.*/, `#${id}`);
      const state_set = String(item['state_set']).replace(/#.*/, `#${id}`);
      change(evidence, item, {
        ...referralKey(program, id),
        created,
        state_set,
        sub_id: undefined,
        owner_sub_id: undefined,
      });
    },
  },
  claims: {
    afterwards: ({ table }) => {
      const claim = first(table.items.values(), ({ pk }) => String(pk).includes('#EMAIL#'));
      table.write([{ Key: { ...keyOf(claim) } }]);
    },
  },
  history: {
    afterwards: (evidence) => {
      const { item } = first(rowsOf(evidence.table), ({ referral }) => referral.state === 'paid');
      change(evidence, item, { updated_at: 0 });
    },
  },
  acknowledged: {
    afterwards: ({ knowledge }) => {
      knowledge.acknowledged.add('019c0000-0000-7000-8000-000000000000');
    },
  },
  refused: {
    afterwards: (evidence) => {
      const { value } = first(evidence.knowledge.refused, () => true);
      const token = first(evidence.table.items.values(), ({ sk }) => sk === 'TOKEN');
      change(evidence, token, { note: value });
    },
  },
  erased: {
    afterwards: (evidence) => {
      const { email, shop } = first(evidence.knowledge.own, ({ erased }) => erased);
      const program = first(evidence.table.items.values(), ({ id }) => id === shop.program.id);
      change(evidence, program, { note: email });
    },
  },
  indexes: {
    afterwards: (evidence) => {
      // No list of the readers filters by sub id.
      const { item } = first(rowsOf(evidence.table), ({ referral }) => referral.subId !== null);
      change(evidence, item, { owner_sub_id: 'another program' });
    },
  },
  events: {
    afterwards: ({ events }) => {
      for (const ids of events.received.values()) ids.delete(first(ids, () => true));
    },
  },
  lists: { response: onData('listReferrals', (data) => data.slice(1)) },
  counts: { response: onText('countOwnReferrals', (body) => body.replace(/"converted":\d+/, '"converted":999')) },
  explanations: { response: onText('explainCustomer', (body) => body.replace('"verdict":"', '$&un')) },
  rules: {
    afterwards: (evidence) => {
      const item = newest(evidence, /\nGROUPS$/);
      change(evidence, item, { groups: Array.from({ length: 51 }, (_, index) => ({ name: `group-${index}` })) });
    },
  },
  codes: { afterwards: (evidence) => change(evidence, newest(evidence, /\nCODE#/), { affiliate_slug: 'nobody' }) },
  uploads: {
    afterwards: (evidence) => {
      const logo = first(evidence.table.items.values(), ({ sk }) => sk === 'LOGO');
      change(evidence, logo, { media_type: 'image/svg+xml' });
    },
  },
  ledger: {
    afterwards: (evidence) => {
      const money = newest(evidence, /\nMONEY$/);
      const name = first(Object.keys(money), (key) => key.startsWith('r_'));
      change(evidence, money, { [name]: Number(money[name]) + 1 });
    },
  },
  statistics: {
    afterwards: (evidence) => {
      const sums = first(evidence.table.items.values(), ({ pk }) => String(pk).includes('#STATISTICS#'));
      change(evidence, sums, { c01: Number(sums['c01'] ?? 0) + 1 });
    },
  },
  tenants: { response: onText('createAdvocate', (body) => body.replaceAll(/shop-\d/g, 'shop-9')) },
  'own-conflict': {
    response: ({ operation }, response) =>
      operation === 'trackClick' ? { ...response, headers: { ...response.headers, 'x-click': 'known' } } : response,
  },
  status: { response: onStatus('createAdvocateToken', 201, 418) },
  progress: { response: onStatus('setState', 200, 503) },
  delay: {
    response: ({ operation }, response) =>
      ['listReferrals', 'listAdvocatesV2', 'getProgram'].includes(operation) && response.status === 401
        ? { ...response, status: 200 }
        : response,
  },
  deadline: { slowness: 11_000 },
  emails: emailLike('settled', () => ({})),
  'sign-in': {
    response: ({ operation, body = '' }, response) =>
      operation === 'requestSignIn' && body.includes('@members.') ? { ...response, body: 'Known' } : response,
  },
  'codes-once': {
    afterwards: ({ sessions }) => first(sessions.byCode.values(), ({ length }) => length > 0).push('another'),
  },
  pending: item(
    /\nADVOCATE$/,
    () => ({ payout_account: 'another', payout_before: undefined, tokens_revoked_at: 1 }),
    'payout_before',
  ),
  members: {
    afterwards: (evidence) => {
      const hasAdmin = ({ members }: Item) => JSON.stringify(members).includes('admin');
      change(evidence, first(evidence.past.newest(/\nMEMBERS$/), hasAdmin), { members: [] });
    },
  },
  applications: item(/\nAPPLICATION$/, () => ({ state: 'unconfirmed' })),
  privacy: { afterwards: ({ table }) => table.write([{ Item: { pk: 'NOTE#jo~@people.example', sk: 'NOTE' } }]) },
};

describe('a world that breaks one promise', () => {
  test('a world without a fault breaks none', async () => {
    expect(await brokenIn({})).toEqual([]);
  });

  test.each(Object.keys(PROMISES) as PromiseName[])(
    'a fault that breaks "%s" is reported under this name',
    async (name) => {
      expect(await brokenIn(FAULTS[name])).toEqual([name]);
    },
  );
});
