import type { AttributionTarget } from '../domain/advocate.ts';
import { InvalidAffiliate, UnknownPublicKey } from '../domain/errors.ts';
import { type Program, programIdOf } from '../domain/program.ts';
import { newClick, type Referral } from '../domain/referral.ts';
import { type Clock, secondOf } from '../domain/time.ts';
import { attributionTargetOf } from './advocates.ts';
import { advocateKey, programKey } from './keys.ts';
import { programOf } from './programs.ts';
import { referralItem, referralOf } from './referral-item.ts';
import type { Table } from './table.ts';
import { TtlCache } from './ttl-cache.ts';
import { type FailedCondition, transitionCondition } from './writes.ts';

/** A click as the script reports it. */
export interface Click {
  readonly publicKey: string;
  readonly slug: string;
  readonly clickId: string;
  readonly subId: string | null;
}

/** `known`: the click's id was recorded before, converted or not. */
export type ClickOutcome = 'recorded' | 'known';

interface Followed {
  readonly program: Program;
  readonly affiliate: AttributionTarget;
}

/**
 * Returns the function that records clicks: one batch read, whose result is kept for at most 30 seconds, and one
 * conditional put, because clicks outnumber conversions by far. It throws `UnknownPublicKey` for an unknown public key,
 * `InvalidAffiliate` or `Unavailable`, and then nothing is written.
 */
export function clickRecorder(clock: Clock): (table: Table, click: Click) => Promise<ClickOutcome> {
  const remembered = new TtlCache<Followed>(clock);
  return async (table, { publicKey, slug, clickId, subId }) => {
    const followed = await remembered.getOrLoad(`${publicKey} ${slug}`, () => readFollowed(table, publicKey, slug));
    if (!followed) throw new InvalidAffiliate();
    const { program, affiliate } = followed;
    const click = newClick(program, affiliate, { id: clickId, subId }, secondOf(clock()));
    return storeClick(table, program.id, click);
  };
}

async function readFollowed(table: Table, publicKey: string, slug: string): Promise<Followed | undefined> {
  const id = programIdOf(publicKey);
  // A public key spells its program's id, so that program and advocate are found at once.
  const keys = id === undefined ? [] : [programKey(id), advocateKey(id, slug)];
  const [program, advocate] = await table.batchGet(keys);
  if (!program) throw new UnknownPublicKey();
  const affiliate = advocate && attributionTargetOf(advocate);
  // One that is not active is not remembered: it gets clicks as soon as it is active again.
  return affiliate?.active ? { program: programOf(program), affiliate } : undefined;
}

/** Stores a click where its id is new. */
export async function storeClick(table: Table, program: string, click: Referral): Promise<ClickOutcome> {
  const condition = transitionCondition('click', 'clicked');
  const failed = await table.put(referralItem(program, click), condition);
  return failed === undefined || isOwn(failed, click) ? 'recorded' : 'known';
}

/** True if the click was recorded by an earlier attempt of this call, whose response was lost. */
function isOwn({ item, isRepeated }: FailedCondition, click: Referral): boolean {
  if (!isRepeated || !item) return false;
  const { createdAt, advocateSlug } = referralOf(item);
  return createdAt === click.createdAt && advocateSlug === click.advocateSlug;
}
