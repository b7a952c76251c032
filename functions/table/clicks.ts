import type { AttributionTarget } from '../domain/advocate.ts';
import { InvalidAffiliate, InvalidField } from '../domain/errors.ts';
import { type Program, programIdOf } from '../domain/program.ts';
import { newClick, type Referral } from '../domain/referral.ts';
import { type Milliseconds, secondOf } from '../domain/time.ts';
import { attributionTargetOf } from './advocates.ts';
import { batchGet } from './batch.ts';
import { transitionCondition } from './conditions.ts';
import { advocateKey, programKey } from './keys.ts';
import { programOf } from './programs.ts';
import { referralItem, referralOf } from './referral-item.ts';
import type { Table } from './table.ts';
import { TtlCache } from './ttl-cache.ts';
import { type FailedCondition, putItem } from './write.ts';

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
 * Makes the way by which clicks are recorded: one batch read, which is remembered for at most 30 seconds, and one
 * conditional put, for clicks outnumber conversions by far. Throws `InvalidField` for a public key that is none,
 * `InvalidAffiliate` or `Unavailable`, and then nothing is written.
 */
export function clickRecorder(table: Table): (click: Click, deadline: Milliseconds) => Promise<ClickOutcome> {
  const remembered = new TtlCache<Followed>(table.clock);
  return async ({ publicKey, slug, clickId, subId }, deadline) => {
    const followed = await remembered.getOrLoad(`${publicKey} ${slug}`, () =>
      readFollowed(table, publicKey, slug, deadline),
    );
    if (!followed) throw new InvalidAffiliate();
    const { program, affiliate } = followed;
    const click = newClick(program, affiliate, { id: clickId, subId }, secondOf(table.clock()));
    return storeClick(table, program.id, click, deadline);
  };
}

async function readFollowed(
  table: Table,
  publicKey: string,
  slug: string,
  deadline: Milliseconds,
): Promise<Followed | undefined> {
  const id = programIdOf(publicKey);
  // A public key spells its program's id, so that program and advocate are found at once.
  const keys = id === undefined ? [] : [programKey(id), advocateKey(id, slug)];
  const [program, advocate] = await batchGet(table, keys, deadline);
  if (!program) throw new InvalidField('pk', 'must be the public key of a program');
  const affiliate = advocate && attributionTargetOf(advocate);
  // One that is not active is not remembered: it gets clicks as soon as it is active again.
  return affiliate?.active ? { program: programOf(program), affiliate } : undefined;
}

/** Stores a click where its id is new. */
export async function storeClick(
  table: Table,
  program: string,
  click: Referral,
  deadline: Milliseconds,
): Promise<ClickOutcome> {
  const condition = transitionCondition('click', 'clicked');
  const failed = await putItem(table, referralItem(program, click), condition, deadline);
  return failed === undefined || isOwn(failed, click) ? 'recorded' : 'known';
}

/** True if the click was recorded by an earlier attempt of this call, whose response was lost. */
function isOwn({ item, isRepeated }: FailedCondition, click: Referral): boolean {
  if (!isRepeated || !item) return false;
  const { createdAt, advocateSlug } = referralOf(item);
  return createdAt === click.createdAt && advocateSlug === click.advocateSlug;
}
