import { type Program, programIdOf } from '../../kernel/accounts/rules/program.ts';
import { parseAttributionTarget } from '../../kernel/accounts/table/advocate-items.ts';
import { parseProgram } from '../../kernel/accounts/table/programs.ts';
import { readTerms } from '../../kernel/accounts/table/terms.ts';
import { MissingKeys, TtlCache } from '../../kernel/cache.ts';
import { advocateKey, programKey } from '../../kernel/dynamodb/keys.ts';
import { putNew } from '../../kernel/dynamodb/put-new.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import type { FailedCondition } from '../../kernel/dynamodb/writes.ts';
import { InvalidAffiliate, UnknownPublicKey } from '../../kernel/errors.ts';
import { type Clock, secondOf } from '../../kernel/time.ts';
import { type Attributed, newClick, type Referral } from '../../referrals/rules/referral.ts';
import { parseReferral, toReferralItem } from '../../referrals/table/referral-item.ts';

/** The fields of a click request. */
export interface Click {
  readonly publicKey: string;
  readonly slug: string;
  readonly clickId: string;
  readonly subId: string | null;
}

/** `known`: a click with this id was recorded before. `ignored`: nobody clicked, and nothing is stored. */
export type ClickOutcome = 'recorded' | 'known' | 'ignored';

/** The program of a referral link, and its advocate with the terms. */
interface Link extends Attributed {
  readonly program: Program;
}

/**
 * Returns a function that records a click with one conditional put, after a batch read, and of an advocate in a group one
 * more read, whose results are cached for at most 30 seconds: clicks outnumber conversions by far. An unknown program is
 * remembered for 10 seconds. It throws `UnknownPublicKey` or `InvalidAffiliate`, also for an `isAutomatic` click, which it
 * does not store.
 */
export function clickRecorder(
  clock: Clock,
): (table: Table, click: Click, isAutomatic?: boolean) => Promise<ClickOutcome> {
  const links = new TtlCache<Link>(clock);
  const unknown = new MissingKeys(clock);
  return async (table, { publicKey, slug, clickId, subId }, isAutomatic) => {
    const link = await links.getOrLoad(`${publicKey} ${slug}`, () => readLink(table, { publicKey, slug, unknown }));
    if (!link) throw new InvalidAffiliate();
    if (isAutomatic) return 'ignored';
    const click = newClick(link.program, link, { id: clickId, subId }, secondOf(clock()));
    return storeClick(table, link.program.id, click);
  };
}

/** A link to read. */
interface Wanted extends Pick<Click, 'publicKey' | 'slug'> {
  readonly unknown: MissingKeys;
}

/** Throws `UnknownPublicKey` if the program does not exist, and adds it to the unknown ones. */
async function readLink(table: Table, { publicKey, slug, unknown }: Wanted): Promise<Link | undefined> {
  const id = programIdOf(publicKey);
  if (id === undefined || unknown.has(id)) throw new UnknownPublicKey();
  // A public key contains its program's id, so that one request reads program and advocate.
  const [item, advocate] = await batchGet(table, [programKey(id), advocateKey(id, slug)]);
  if (!item) {
    unknown.add(id);
    throw new UnknownPublicKey();
  }
  const target = advocate && parseAttributionTarget(advocate);
  // A deactivated advocate is not cached, so that it gets clicks as soon as it is active again.
  if (!target?.active) return undefined;
  const program = parseProgram(item);
  // Groups that were read earlier would be up to 30 seconds old already.
  return { program, target, terms: await readTerms(table, program, target) };
}

/** Stores a click. Returns `known` and writes nothing if another one has its id. */
export async function storeClick(table: Table, program: string, click: Referral): Promise<ClickOutcome> {
  const isStored = await putNew(table, toReferralItem(program, click), (failed) => isOwnWrite(failed, click));
  return isStored ? 'recorded' : 'known';
}

/** True if an earlier attempt of the same put, whose response was lost, stored the click. */
function isOwnWrite({ item, isRepeated }: FailedCondition, click: Referral): boolean {
  if (!isRepeated || !item) return false;
  const { createdAt, advocateSlug } = parseReferral(item);
  return createdAt === click.createdAt && advocateSlug === click.advocateSlug;
}
