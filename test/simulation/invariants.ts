import type { Referral } from '../../functions/domain/referral/referral.ts';
import { customerKey, emailKey, programInKey, stripeCustomerKey } from '../../functions/table/keys.ts';
import { parseReferral } from '../../functions/table/referrals/referral-item.ts';
import type { Knowledge, OwnCustomer, Shop } from './callers.ts';
import type { Events } from './events.ts';
import { type FakeTable, keyText } from './fake/table.ts';
import type { Service } from './service.ts';

/** Everything that an invariant compares. */
export interface Evidence {
  readonly table: FakeTable;
  readonly service: Service;
  readonly shops: readonly Shop[];
  readonly knowledge: Knowledge;
  readonly events: Events;
}

interface StoredReferral {
  readonly program: string;
  readonly referral: Referral;
}

const isErased = ({ email, customerUid, state }: Referral) =>
  state !== 'clicked' && email === null && customerUid === null;

function referralsOf(table: FakeTable): StoredReferral[] {
  return [...table.all()]
    .filter(({ sk }) => sk === 'REFERRAL')
    .map((item) => ({ program: programInKey(String(item['pk'])), referral: parseReferral(item) }));
}

/** The keys of the claims that a referral must have. */
function claimsOf({ program, referral: { email, customerUid, stripe } }: StoredReferral): string[] {
  return [
    ...(email === null ? [] : [emailKey(program, email)]),
    ...(customerUid === null ? [] : [customerKey(program, customerUid)]),
    ...(stripe?.customers ?? []).map((name) => stripeCustomerKey(program, name)),
  ].map((key) => keyText({ ...key }));
}

/**
 * The promises of `docs/contract.md`, by name. Each returns a sentence for whatever breaks it. They are checked at the
 * end of a run, when no request is under way.
 */
export const INVARIANTS: Readonly<Record<string, (evidence: Evidence) => Iterable<string> | Promise<string[]>>> = {
  *'One referral per email and uid'({ table }) {
    const owners = new Map<string, string>();
    for (const stored of referralsOf(table)) {
      for (const claim of claimsOf(stored)) {
        if (owners.has(claim)) yield `${stored.referral.id} and ${owners.get(claim)} have the same customer`;
        owners.set(claim, stored.referral.id);
      }
    }
  },

  *'Claims and rows are one to one'({ table }) {
    const expected = new Map<string, string>();
    for (const stored of referralsOf(table))
      for (const claim of claimsOf(stored)) expected.set(claim, stored.referral.id);
    const claims = [...table.all()].filter(
      ({ pk, sk }) => sk === 'CLAIM' && /#(EMAIL|CUSTOMER|STRIPE_CUSTOMER)#/.test(String(pk)),
    );
    for (const claim of claims) {
      if (expected.get(keyText(claim)) !== claim['referral'])
        yield `The claim ${claim['pk']} leads to ${claim['referral']}`;
      expected.delete(keyText(claim));
    }
    for (const [key, id] of expected) yield `The referral ${id} lacks its claim ${key}`;
  },

  *'History and state agree, and times are ordered'({ table }) {
    for (const { referral } of referralsOf(table)) {
      const states = referral.history.filter((entry) => entry.type === 'state');
      if (states.at(-1)?.state !== referral.state)
        yield `${referral.id} is ${referral.state}, but its history ends otherwise`;
      const times = referral.history.map(({ setAt }) => setAt);
      if (times.some((time, index) => time < (times[index - 1] ?? 0)))
        yield `The history of ${referral.id} is not in order`;
    }
  },

  *'What was acknowledged is there'({ table, knowledge }) {
    const rows = new Map(referralsOf(table).map(({ referral }) => [referral.id, referral]));
    for (const id of knowledge.acknowledged) if (!rows.has(id)) yield `The acknowledged referral ${id} does not exist`;
    for (const customer of knowledge.own) {
      const row = rows.get(customer.id);
      const problem = row && contradictionIn(row, customer);
      if (problem) yield `${customer.uid} ${problem}`;
    }
  },

  *'Nothing leads to an erased person'({ table, knowledge }) {
    const erased = knowledge.own.filter((customer) => customer.erased);
    const text = JSON.stringify([...table.all()]);
    for (const { email, uid } of erased) {
      for (const value of [email, uid]) if (text.includes(`"${value}"`)) yield `The table still contains ${value}`;
    }
  },

  *'Each change has one event id, and each webhook got it'({ table, shops, events }) {
    const all = referralsOf(table);
    for (const { program, webhook } of shops) {
      const received = new Set(events.received.get(webhook.url)?.keys());
      const expected = all
        .filter((stored) => stored.program === program.id)
        .flatMap(({ referral }) => eventIds(referral));
      for (const id of expected) if (!received.delete(id)) yield `The event ${id} was not delivered`;
      for (const id of received) yield `The event ${id} belongs to no change`;
    }
    if (events.deadLetters > 0) yield `${events.deadLetters} events became dead letters`;
    if (events.poisonRecords.length > 0) yield `${events.poisonRecords.length} changes could not be published`;
  },

  async 'Lists equal the rows'({ table, service, shops }) {
    const problems: string[] = [];
    const rows = referralsOf(table).filter(({ referral }) => referral.state !== 'clicked');
    for (const { program, advocates, affiliateTokens } of shops) {
      for (const [index, { slug }] of advocates.entries()) {
        const expected = rows.filter((row) => row.program === program.id && row.referral.advocateSlug === slug);
        const listed = await allPages(service, affiliateTokens[index] ?? '');
        const ids = expected.map(({ referral: { id, state } }) => `${id} ${state}`).sort();
        if (listed.sort().join() !== ids.join()) {
          problems.push(`The list of ${slug} has ${listed.length} referrals, the table ${ids.length}`);
        }
      }
    }
    return problems;
  },
};

/** How a row contradicts what its only caller was told; `undefined` if it does not. */
function contradictionIn(row: Referral, { email, uid, state, erased }: OwnCustomer): string | undefined {
  if (row.state !== state) return `is ${row.state}, but ${state} was acknowledged`;
  if (erased !== isErased(row)) return erased ? 'is not erased' : 'is erased';
  return erased || (row.email === email && row.customerUid === uid) ? undefined : 'has another email or uid';
}

/** The events of a referral's history. The first entry of a click is an event that webhooks get only on request. */
function eventIds({ id, history: [first, ...others] }: Referral): string[] {
  const isClick = first?.type === 'state' && first.state === 'clicked';
  return [...(isClick ? [] : [`${id}.1`]), ...others.map((_, index) => `${id}.${index + 2}`)];
}

/** Reads all pages of an affiliate's list. */
async function allPages(service: Service, token: string): Promise<string[]> {
  const rows: string[] = [];
  for (let page = 1; ; page += 1) {
    const response = await service.call({ operation: 'listReferrals', token, query: `per_page=50&page=${page}` });
    if (response?.status !== 200) throw new Error(`A list returned ${response?.status}: ${response?.body}`);
    const { data } = JSON.parse(response.body) as { data: { id: string; attributes: { state: string } }[] };
    rows.push(...data.map(({ id, attributes }) => `${id} ${attributes.state}`));
    if (data.length < 50) return rows;
  }
}
