import { LimitedMap } from '../../cache.ts';
import { required } from '../../dynamodb/item.ts';
import { rulesKey, rulesPartition } from '../../dynamodb/keys.ts';
import { putNew } from '../../dynamodb/put-new.ts';
import { get, queryPages, type Table, wholePartition } from '../../dynamodb/table.ts';
import { type CommissionRules, parseCommissionRules } from '../rules/commission-rules.ts';
import { commissionRulesId } from '../rules/commission-rules-id.ts';

/** The rules that a process remembers, by its connection. They never change. */
const memories = new WeakMap<object, LimitedMap<CommissionRules>>();

function rememberedBy({ origin }: Table): LimitedMap<CommissionRules> {
  const remembered = memories.get(origin) ?? new LimitedMap<CommissionRules>(1000);
  memories.set(origin, remembered);
  return remembered;
}

/**
 * Stores rules before a program or a group refers to them, and returns their id. Equal rules are one item, which never
 * changes: an item that exists is the one to store.
 */
export async function storeRules(table: Table, program: string, rules: CommissionRules): Promise<string> {
  const id = commissionRulesId(rules);
  await putNew(table, { ...rulesKey(program, id), rules }, () => true);
  return id;
}

/** Reads the rules of a program with an id, once for each process; `undefined` if it has none with it. */
export async function findRules(table: Table, program: string, id: string): Promise<CommissionRules | undefined> {
  const name = `${program} ${id}`;
  const remembered = rememberedBy(table);
  const known = remembered.get(name);
  if (known) return known;
  const item = await get(table, rulesKey(program, id));
  const rules = item && required(item, 'rules', (value) => parseCommissionRules('rules', value));
  if (rules) remembered.set(name, rules);
  return rules;
}

/** True if a program or one of its groups has or had rules. */
export async function hasRules(table: Table, program: string): Promise<boolean> {
  const query = { ...wholePartition(rulesPartition(program)), ConsistentRead: true };
  const { value } = await queryPages(table, query, () => 1).next();
  return (value?.count ?? 0) > 0;
}

/** Reads the rules of a program, a group, a referral or an entry; `null` without an id. */
export async function rulesOf(
  table: Table,
  program: string,
  { commissionRulesId: id }: { readonly commissionRulesId: string | null },
): Promise<CommissionRules | null> {
  if (id === null) return null;
  const rules = await findRules(table, program, id);
  if (!rules) throw new ReferenceError('Commission rules that something refers to do not exist.');
  return rules;
}
