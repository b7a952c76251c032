import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { advocateKey, advocateUidKey, programInKey, programKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { isErased, type Referral } from '../../../functions/referrals/rules/referral.ts';
import { PAIRS } from '../../support/transitions.ts';
import { accountsOf } from '../callers/partner.ts';
import { type FakeTable, keyText } from '../fake/table.ts';
import type { OwnCustomer, PromiseName } from '../knowledge.ts';
import { programOf } from '../tenants.ts';
import { codeProblems } from './codes.ts';
import type { Check, Evidence } from './evidence.ts';
import { ledgerProblems } from './ledger.ts';
import { uploadProblems } from './logos.ts';
import { personalTexts, rowsOf } from './rows.ts';
import { ruleProblems } from './terms.ts';

/** The states that may follow each other. A click becomes `converted` only by a conversion. */
const FOLLOWING = new Set([
  'clicked converted',
  ...PAIRS.flatMap(({ from, to, outcome }) => (outcome === 'set' ? [`${from} ${to}`] : [])),
]);

/** The promises that hold at every moment, because transactions are atomic, and a response follows its write. */
export const AT_EVERY_MOMENT = {
  *'unique-customer'({ table }) {
    const owners = new Map<string, string>();
    for (const { referral, claims } of rowsOf(table)) {
      for (const claim of claims) {
        if (owners.has(claim)) yield `${referral.id} and ${owners.get(claim)} have the same customer`;
        owners.set(claim, referral.id);
      }
    }
  },

  *claims({ table }) {
    const claimed = new Map<string, Set<string>>();
    for (const { referral, claims } of rowsOf(table)) {
      for (const claim of claims) claimed.set(claim, (claimed.get(claim) ?? new Set()).add(referral.id));
    }
    for (const item of table.items.values()) {
      const key = keyText(item);
      if (/#(?:EMAIL|CUSTOMER|STRIPE_CUSTOMER)#/.test(key)) {
        if (!claimed.get(key)?.has(String(item['referral']))) yield `The claim ${key} leads to ${item['referral']}`;
        claimed.delete(key);
      }
      yield* copyProblems(table, item);
    }
    for (const [key, ids] of claimed) yield `The referral ${[...ids].join()} lacks its claim ${key}`;
  },

  *history({ table }) {
    for (const { referral } of rowsOf(table)) {
      const { id, state, history, createdAt, stateSetAt, updatedAt } = referral;
      const states = history.filter((entry) => entry.type === 'state');
      const last = states.at(-1);
      if (last && (last.state !== state || last.setAt !== stateSetAt))
        yield `${id} is ${state}, but not in its history`;
      const wrong = states.find(
        ({ state: to }, index) => index > 0 && !FOLLOWING.has(`${states[index - 1]?.state} ${to}`),
      );
      if (wrong) yield `The history of ${id} has a change to ${wrong.state} that the rules refuse`;
      const times = history.map(({ setAt }) => setAt);
      const isOrdered = times.every((time, index) => time >= (times[index - 1] ?? 0));
      if (!isOrdered || createdAt > stateSetAt || stateSetAt > updatedAt) yield `The times of ${id} are not in order`;
    }
  },

  *acknowledged({ table, knowledge }) {
    const referrals = new Map(rowsOf(table).map(({ referral }) => [referral.id, referral]));
    for (const id of knowledge.acknowledged) {
      if (!referrals.has(id)) yield `The acknowledged referral ${id} does not exist`;
    }
    for (const customer of knowledge.own) {
      const referral = referrals.get(customer.id);
      const problem = referral && !customer.busy && contradictionIn(referral, customer);
      if (problem) yield `${customer.id} ${problem}`;
    }
    for (const { shop, slug, fields, busy } of knowledge.ownAdvocates) {
      const item = table.get({ ...advocateKey(shop.program.id, slug) });
      const expected = { uid: fields.uid ?? undefined, rate: fields.commissionPercentage ?? undefined };
      const isSame = item?.['uid'] === expected.uid && item?.['rate'] === expected.rate;
      if (!busy && (!item || !isSame)) yield `The advocate ${slug} has other fields than were acknowledged`;
    }
    yield* importProblems({ table, knowledge });
  },

  ledger: ledgerProblems,
  rules: ruleProblems,
  codes: codeProblems,
  uploads: uploadProblems,

  *refused({ table, knowledge }) {
    const present = new Set([...table.items.values()].flatMap(personalTexts));
    for (const { value, claims } of knowledge.refused) {
      const isClaimed = claims.some((key) => table.get({ ...key }));
      if (present.has(value) || isClaimed) yield `The table contains ${value}, which was refused`;
    }
  },

  *erased({ table, knowledge }) {
    const present = new Set<string>();
    for (const item of table.items.values()) {
      for (const text of personalTexts(item)) present.add(`${programOf(item)} ${text}`);
    }
    const advocates = knowledge.ownAdvocates.map(({ shop, fields }) => ({
      shop,
      email: fields.email ?? null,
      uid: null,
      erased: typeof fields.erasedAt === 'number',
    }));
    const people = knowledge.people.flatMap(({ shop, slug, addresses, erased }) =>
      [...addresses, ...accountsOf(slug)].map((email) => ({ shop, email, uid: null, erased })),
    );
    for (const { shop, email, uid, erased } of [...knowledge.own, ...advocates, ...people]) {
      if (!erased) continue;
      for (const value of [email, uid].filter((text) => text !== null)) {
        // Another program may have a customer with the same email.
        if (present.has(`${shop.program.id} ${value}`)) yield `${shop.mark} still contains ${value}`;
      }
    }
  },
} satisfies Partial<Record<PromiseName, Check>>;

/** How an item differs from the claim or the copy that belongs to it. */
function copyProblems(table: FakeTable, item: Item): string[] {
  if (item['sk'] === 'ADVOCATE') return item['uid'] === undefined ? [] : uidProblems(table, item);
  if (String(item['pk']).includes('#ADVOCATE_UID#')) return claimProblems(table, item);
  return item['sk'] === 'TOKEN' && item['kind'] === 'program' ? tokenProblems(table, item) : [];
}

function uidProblems(table: FakeTable, { pk, uid, slug }: Item): string[] {
  const claim = table.get({ ...advocateUidKey(programInKey(String(pk)), String(uid)) });
  return claim?.['slug'] === slug ? [] : [`The advocate ${slug} lacks the claim of its uid`];
}

function claimProblems(table: FakeTable, claim: Item): string[] {
  const { pk, slug } = claim;
  const original = table.get({ ...advocateKey(programInKey(String(pk)), String(slug)) });
  const different = ['uid', 'email', 'rate', 'group', 'active'].filter((name) => original?.[name] !== claim[name]);
  return different.map((name) => `The claim ${pk} has another ${name} than its advocate`);
}

function tokenProblems(table: FakeTable, { pk, program }: Item): string[] {
  const copy = program as Item;
  const original = table.get({ ...programKey(String(copy['id'])) });
  // An update replaces the copies after the program.
  const isOlder = Number(copy['version'] ?? 0) < Number(original?.['version'] ?? 0);
  const isSame = ['rate', 'rules'].every((name) => original?.[name] === copy[name]);
  return isOlder || isSame ? [] : [`The token ${pk} has another program than its program`];
}

/** How a row contradicts what its only caller was told; `undefined` if it does not. */
function contradictionIn(row: Referral, { email, uid, slug, state, erased }: OwnCustomer): string | undefined {
  if (row.state !== state) return `is ${row.state}, but ${state} was acknowledged`;
  if (row.advocateSlug !== slug) return `belongs to ${row.advocateSlug}, but ${slug} was acknowledged`;
  if (erased !== isErased(row)) return erased ? 'is not erased' : 'is erased';
  return erased || (row.email === email && row.customerUid === uid) ? undefined : 'has another email or uid';
}

/** Files whose lines were imported twice, or not at all. Clicks may have expired. */
function* importProblems({ table, knowledge }: Pick<Evidence, 'table' | 'knowledge'>): Iterable<string> {
  const counts = new Map<string, number>();
  for (const { item } of rowsOf(table)) {
    const file = `${item['pk']} ${item['sub_id']}`.replace(/^PROGRAM#([^#]+)\S+/, '$1');
    counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  for (const [file, { rows, clicks }] of knowledge.imports) {
    const count = counts.get(file) ?? 0;
    if (count > rows || count < rows - clicks) yield `Of ${rows} imported lines, there are ${count} referrals`;
  }
}
