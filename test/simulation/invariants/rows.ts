import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { customerKey, emailKey, programInKey, stripeCustomerKey } from '../../../functions/kernel/dynamodb/keys.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { parseReferral } from '../../../functions/referrals/table/referral-item.ts';
import { type FakeTable, keyText } from '../fake/table.ts';

/** A referral, and what follows from it. */
export interface Row {
  readonly program: string;
  readonly item: Item;
  readonly referral: Referral;
  /** The keys of the claims that it must have. */
  readonly claims: readonly string[];
}

/** Items never change, so each is parsed once. */
const rows = new WeakMap<Item, Row>();

/** Parses an item of a referral. */
export function rowOf(item: Item): Row {
  const known = rows.get(item);
  if (known) return known;
  const program = programInKey(String(item['pk']));
  const referral = parseReferral(item);
  const { email, customerUid, provider } = referral;
  const claims = [
    ...(email === null ? [] : [emailKey(program, email)]),
    ...(customerUid === null ? [] : [customerKey(program, customerUid)]),
    ...(provider?.customers ?? []).map((name) => stripeCustomerKey(program, name)),
  ].map((key) => keyText({ ...key }));
  const row = { program, item, referral, claims };
  rows.set(item, row);
  return row;
}

/** Returns all clicks and referrals. */
export function rowsOf(table: FakeTable): Row[] {
  return [...table.items.values()].filter(({ sk }) => sk === 'REFERRAL').map(rowOf);
}

const texts = new WeakMap<Item, readonly string[]>();
/** Emails and uids of customers, and of people who sign in, contain this character, and nothing else does. */
const PERSONAL = /[\w.-]+~(?:@[\w.]+)?/g;

/** Returns all emails and uids of customers and of people who sign in in an item, wherever they are. */
export function personalTexts(item: Item): readonly string[] {
  const known = texts.get(item);
  if (known) return known;
  const json = JSON.stringify(item);
  const found = json.includes('~') ? (json.match(PERSONAL) ?? []) : [];
  texts.set(item, found);
  return found;
}
