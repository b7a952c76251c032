import type { Item } from '../../functions/kernel/dynamodb/item.ts';
import { isEntryKey, type Key, keyOf, programInKey } from '../../functions/kernel/dynamodb/keys.ts';
import { type Change, keyText } from './fake/table.ts';
import type { World } from './world.ts';

/** An item as it was stored, or deleted. */
export interface PastItem {
  /** Its place among all changes. */
  readonly order: number;
  /** In milliseconds. */
  readonly at: number;
  readonly item: Item | undefined;
}

/** Programs, groups, members, advocates, applications, referrals and what they brought; links to sign in; totals, codes and rules. */
const KEPT =
  /\n(?:PROGRAM|GROUPS|MEMBERS|ADVOCATE|DRAFT|APPLICATION|REFERRAL|MONEY)$|\nLINKS#|#(?:TOTALS|CODES|RULES)\n/;

/** All versions of the items that decide who earns what, and who gets emails. */
export class Past {
  readonly #world: World;
  readonly #versions = new Map<string, PastItem[]>();
  /** The entries of payments, by program and referral, in the order in which they were stored. */
  readonly payments = new Map<string, PastItem[]>();
  #order = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** How old terms may be that a function uses: cached for 30 seconds by a clock that jumps, and used until its deadline. */
  get age(): number {
    return 40_000 + 2 * this.#world.skew;
  }

  /** Notes a change of the table. */
  add({ before, after }: Change): void {
    this.#order += 1;
    const item = after ?? before ?? {};
    const version = { order: this.#order, at: this.#world.now(), item: after };
    const text = keyText(item);
    if (KEPT.test(text)) append(this.#versions, text, version);
    else if (!before && item['kind'] === 'payment' && isEntryKey(keyOf(item)))
      append(this.payments, `${programInKey(text)} ${item['referral']}`, version);
  }

  /** All versions of an item, oldest first. */
  of(key: Key): readonly PastItem[] {
    return this.#versions.get(keyText({ ...key })) ?? [];
  }

  /** The versions of an item that were stored at some time of the `age` milliseconds before a moment. */
  before(key: Key, { order, at }: Pick<PastItem, 'order' | 'at'>, age = this.age): (Item | undefined)[] {
    const known = this.of(key).filter((version) => version.order < order);
    const first = known.findLastIndex((version) => version.at <= at - age);
    return [...(first < 0 ? [undefined] : []), ...known.slice(Math.max(first, 0)).map(({ item }) => item)];
  }

  /** The versions of an item that were stored at some time between two moments, in milliseconds. */
  between(key: Key, from: number, to: number): Item[] {
    const known = this.of(key).filter(({ at }) => at <= to);
    const first = known.findLastIndex(({ at }) => at < from);
    return known.slice(Math.max(first, 0)).flatMap(({ item }) => (item ? [item] : []));
  }

  /** The newest version of each item whose key matches a pattern, unless it is deleted. */
  newest(pattern: RegExp): Item[] {
    return this.matching(pattern).flatMap((versions) => {
      const { item } = versions.at(-1) ?? {};
      return item ? [item] : [];
    });
  }

  /** All items whose keys match a pattern, with their versions. */
  matching(pattern: RegExp): (readonly PastItem[])[] {
    return [...this.#versions].filter(([key]) => pattern.test(key)).map(([, versions]) => versions);
  }
}

function append(all: Map<string, PastItem[]>, name: string, version: PastItem): void {
  const versions = all.get(name) ?? [];
  all.set(name, versions);
  versions.push(version);
}
