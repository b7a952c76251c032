import { describe, expect, test } from '@jest/globals';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { entryKey, keyOf, programInKey, referralKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import type { EmailCause } from '../../../functions/people/rules/email-cause.ts';
import { newId } from '../../support/program.ts';
import { PROMISES, type PromiseName } from '../knowledge.ts';
import type { SentEmail } from '../mail.ts';
import { NONE } from '../network.ts';
import { simulate, type Tampering } from '../run.ts';
import type { ApiRequest, ApiResponse } from '../service.ts';
import type { Evidence } from './evidence.ts';
import { type Row, rowsOf } from './rows.ts';

// A promise whose check can never fail proves nothing. Each gets a world with one fault that breaks it, and no other one.

/** Runs a small world without faults of the network. Returns the names of the promises that it broke. */
async function brokenIn(tampering: Tampering): Promise<string[]> {
  return [...new Set((await violationsIn(tampering)).map((violation) => violation.split(':', 1)[0] ?? ''))];
}

/** Seeds of worlds: a fault is tried in one world after the other, until one has what the fault changes. */
const SEEDS = [63, 61, 65, 64];
const NOTHING = 'The world has nothing of the kind.';

async function violationsIn(tampering: Tampering): Promise<readonly string[]> {
  for (const seed of SEEDS) {
    const { violations } = await simulate({ seed, callers: 19, calls: 900, faults: NONE }, tampering);
    const hasNothing = violations.some((violation) => violation.includes(NOTHING));
    if (violations.length > 0 && !hasNothing) return violations;
  }
  return [];
}

/** Replaces attributes of an item. */
function change({ table }: Evidence, item: Item, attributes: Item): void {
  table.write([{ Item: { ...item, ...attributes } }]);
}

const first = <Value>(values: Iterable<Value>, isWanted: (value: Value) => boolean): Value => {
  for (const value of values) if (isWanted(value)) return value;
  throw new Error(NOTHING);
};

/** The first item whose key matches a pattern, and that has an attribute. */
const newest = ({ past }: Evidence, pattern: RegExp, attribute = 'pk'): Item =>
  first(past.newest(pattern), (item) => item[attribute] !== undefined);

/** Changes an entry by rules, by default of a payment. */
const entry = (attributes: Item, isWanted: (item: Item) => boolean = () => true, kind = 'payment'): Tampering => ({
  afterwards: (evidence) => {
    const isRuled = (given: Item) => given['kind'] === kind && given['rule'] !== undefined && isWanted(given);
    change(evidence, first(evidence.table.items.values(), isRuled), attributes);
  },
});

/** Changes the first item whose key matches a pattern, and that has an attribute. */
const item = (pattern: RegExp, changed: (before: Item) => Item, attribute?: string): Tampering => ({
  afterwards: (evidence) => {
    const before = newest(evidence, pattern, attribute);
    change(evidence, before, changed(before));
  },
});

/** Gives a code the promotion code of another. */
const claimedTwice: Tampering = {
  afterwards: (evidence) => {
    const { pk, sk, promotion_code_id } = newest(evidence, /\nCODE#OWN/);
    const other = first(evidence.past.newest(/\nCODE#/), (code) => code['pk'] === pk && code['sk'] !== sk);
    change(evidence, other, { promotion_code_id });
  },
};

const plusOne = (name: string) => (before: Item) => ({ [name]: Number(before[name] ?? 0) + 1 });

/** Moves a referral to an advocate who never had its terms. */
const moved: Tampering = {
  afterwards: (evidence) => {
    const { item: before } = first(rowsOf(evidence.table), ({ referral }) => referral.state === 'converted');
    change(evidence, before, { owner_state: String(before['owner_state']).replace(/#.*#/, '#nobody#'), rate: 99 });
  },
};

/** Adds an email, similar to a sent one. */
const emailLike = (
  kind: EmailCause['kind'],
  changed: (email: SentEmail, evidence: Evidence) => Partial<SentEmail>,
) => ({
  afterwards: (evidence: Evidence) => {
    const email = first(evidence.mail.sent, ({ cause }) => cause.kind === kind);
    evidence.mail.sent.push({ ...email, ...changed(email, evidence) });
  },
});

const noCause = emailLike('sign_in', ({ cause }) => ({ cause: { ...cause, request: 'never' } as EmailCause }));

/** An email that was read and sent after the erasure of its recipient. */
const toErased = emailLike('settled', ({ cause }, { knowledge }) => {
  const { shop, slug, addresses } = first(knowledge.people, ({ erased }) => erased);
  const later = { readFrom: Number.MAX_VALUE, sentAt: Number.MAX_VALUE };
  return { ...later, to: addresses[0] ?? '', program: shop.program.id, cause: { ...cause, slug } as EmailCause };
});

/** Settles in a run, while the payout account of an advocate is pending. */
const paidPending: Tampering = {
  afterwards: (evidence) => {
    const advocate = newest(evidence, /\nADVOCATE$/, 'payout_before');
    const settlement = first(evidence.table.items.values(), ({ kind }) => kind === 'settlement');
    const [slug, createdAt] = [String(advocate['slug']), Number(advocate['payout_pending_until']) - 1000];
    const key = entryKey(programInKey(String(advocate['pk'])), slug, { createdAt: seconds(createdAt), id: newId() });
    change(evidence, settlement, { ...key, settlement: `run:${settlement['currency']}:${slug}` });
  },
};

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

type Response = NonNullable<Tampering['response']>;

function onText(operation: ApiRequest['operation'], replace: (body: string) => string): Response {
  return (request, response) =>
    request.operation === operation ? { ...response, body: replace(response.body) } : response;
}

function onData(
  operation: ApiRequest['operation'],
  replace: (data: readonly unknown[]) => readonly unknown[],
): Response {
  return onText(operation, (body) => {
    const { data = [], ...others } = JSON.parse(body);
    // A statement of one advocate is no list.
    return Array.isArray(data) ? JSON.stringify({ ...others, data: replace(data) }) : body;
  });
}

function onStatus(operation: ApiRequest['operation'], from: number, to: number): Response {
  return (request, response): ApiResponse =>
    request.operation === operation && response.status === from ? { ...response, status: to } : response;
}

/** Adds a second to a time in a body. */
const later = (body: string, name: string) =>
  body.replace(new RegExp(`("${name}":)(\\d+)`), (_, key, time) => `${key}${Number(time) + 1}`);

const renamed = (body: string) => body.replace(/"id":"..../, '"id":"019f');

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

  test.each<[string, PromiseName, Response]>([
    ['confirms a state that was not set', 'acknowledged', onText('setState', (body) => later(body, 'state_set_at'))],
    ['confirms a conversion that is not stored', 'acknowledged', onText('trackConversionV1', renamed)],
    ['confirms an erasure of nobody', 'acknowledged', onStatus('eraseCustomer', 404, 204)],
    ['returns another entry for a repetition', 'ledger', onText('recordPayment', renamed)],
    ['calls a new refund a repeated one', 'ledger', onStatus('recordRefund', 201, 200)],
    ['shows a statement that never was', 'ledger', onText('getStatements', (body) => later(body, 'closing'))],
    ['accepts the ended session of an advocate', 'delay', onStatus('getAffiliate', 401, 200)],
    ['refuses a code that creates a session', 'codes-once', onStatus('createSession', 201, 400)],
    ['leaves out an entry', 'ledger', onData('listEntries', (data) => data.slice(1))],
  ])('a response that %s breaks "%s"', async (_, promise, response) => {
    expect(await brokenIn({ response })).toContain(promise);
  });

  test.each<[string, string, Tampering]>([
    ['an entry that another rule decided', 'rules: Payment', entry({ rule: 10 })],
    [
      'an entry with another commission',
      'rules: Payment',
      entry({ commission: 0 }, ({ commission }) => commission !== 0),
    ],
    ['an entry that saw other customers', ' saw 999 customers', entry({ paying_seen: 999 })],
    ['a refund with another rule', 'have other rules', entry({ rule: 10 }, undefined, 'refund')],
    ['a payment that is counted twice', 'were counted as', item(/\nMONEY$/, plusOne('payments'))],
    ['rules that change', 'rules: The rules', item(/#RULES\n/, () => ({ rules: [{ percentage: 99 }] }))],
    ['a group that is lost', 'rules: The acknowledged group', item(/\nGROUPS$/, () => ({ groups: [] }))],
    ['a referral whose terms change', ' changed from ', item(/\nREFERRAL$/, () => ({ rate: 99 }))],
    ['a referral with terms of nobody', ' of nobody has ', moved],
    ['a promotion code of two codes', 'codes: Several codes', claimedTwice],
    ['a promotion code that gets another code', ' leads to OTHER', item(/\nPROMOTION#/, () => ({ code: 'OTHER' }))],
    ['a code that changes its owner', ' was acknowledged', item(/\nCODE#OWN/, () => ({ affiliate_slug: 'nobody' }))],
    ['a code that is not counted', 'codes are counted as', item(/#CODES\nCOUNT$/, plusOne('codes'))],
    ['a credit by a code of another', ' was credited by ', item(/\nREFERRAL$/, () => ({ code: 'OTHER' }))],
    [
      'an email to another address',
      'did not have the address',
      emailLike('settled', () => ({ to: 'jo~@people.example' })),
    ],
    ['an email to an erased advocate', 'did not have the address', toErased],
    ['an email without a cause', 'has no cause', noCause],
    ['a member too many', ' has 101 members', item(/\nMEMBERS$/, () => ({ members: Array(101).fill({ scopes: [] }) }))],
    ['a run that pays to a pending account', 'whose account was pending', paidPending],
    ['a customer who is counted twice', ' customers is ', item(/#TOTALS\nADVOCATE/, plusOne('n'))],
  ])('%s is reported', async (_, sentence, tampering) => {
    expect((await violationsIn(tampering)).join('\n')).toContain(sentence);
  });
});
