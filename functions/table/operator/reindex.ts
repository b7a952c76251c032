import { oneOf, text } from '../../domain/parsers.ts';
import { STATES } from '../../domain/referral/state.ts';
import { parseListedAdvocate } from '../advocates.ts';
import { indexPages, pagesByOwner } from '../dynamodb/index-pages.ts';
import { type Item, required } from '../dynamodb/item.ts';
import type { Table } from '../dynamodb/table.ts';
import { update } from '../dynamodb/writes.ts';
import { advocateReferrals, keyOf, programAdvocates, programState } from '../keys.ts';

/** How many referrals were read, and how many of them were written. */
export interface Reindexed {
  readonly read: number;
  readonly written: number;
}

/**
 * Adds the referrals from before there was the index `by_program_state` to it. Yields the sums after each page. It can be
 * interrupted and repeated.
 */
export async function* reindexReferrals(table: Table, program: string): AsyncGenerator<Reindexed, void> {
  let [read, written] = [0, 0];
  for await (const advocates of indexPages(table, 'by_created_at', programAdvocates(program))) {
    for (const { slug } of advocates.map(parseListedAdvocate)) {
      for await (const items of pagesByOwner(table, advocateReferrals(program, slug))) {
        const missing = items.filter((item) => item['program_state'] === undefined);
        const added = await Promise.all(missing.map((item) => addToIndex(table, program, item)));
        read += items.length;
        written += added.filter(Boolean).length;
        yield { read, written };
      }
    }
  }
}

/** Adds a referral. Returns false if it has changed since it was read, because the change has added it. */
async function addToIndex(table: Table, program: string, item: Item): Promise<boolean> {
  const state = required(item, 'state', oneOf(STATES));
  const change = {
    UpdateExpression: 'SET program_state = :partition',
    ExpressionAttributeValues: { ':partition': programState(program, state) },
  };
  const isUnchanged = {
    ConditionExpression: 'attribute_not_exists(program_state) AND owner_state = :owner_state',
    ExpressionAttributeValues: { ':owner_state': required(item, 'owner_state', text) },
  };
  return (await update(table, keyOf(item), change, isUnchanged)) === undefined;
}
