import { IdTaken } from '../domain/errors.ts';
import type { Program } from '../domain/program.ts';
import { type Item, number, optional, required, text, texts, wholeSeconds, withoutNulls } from './item.ts';
import { ALL_PROGRAMS, programKey, sortKey } from './keys.ts';
import type { Table } from './table.ts';
import { NOT_EXISTS } from './writes.ts';

/**
 * Stores a new program. A program that this very call stored, in an attempt whose response was lost, is a success.
 * Throws `IdTaken` if another program has the id, or `Unavailable`.
 */
export async function createProgram(table: Table, program: Program): Promise<void> {
  const created = sortKey(program.createdAt, program.id);
  const item = { ...programKey(program.id), owner: ALL_PROGRAMS, created, ...programAttributes(program) };
  const failed = await table.put(item, NOT_EXISTS);
  if (failed && failed.item?.['created'] !== created) throw new IdTaken();
}

/** The program, or `undefined` where there is none. */
export async function findProgram(table: Table, id: string): Promise<Program | undefined> {
  const item = await table.get(programKey(id));
  return item && programOf(item);
}

/** A program as it stands in its own item, and as a copy in each of its tokens. */
export function programAttributes(program: Program): Item {
  return withoutNulls({
    id: program.id,
    name: program.name,
    public_key: program.publicKey,
    site_url: program.siteUrl,
    link_parameter: program.linkParameter,
    rate: program.commissionPercentage,
    commission_months: program.commissionMonths,
    attribution_days: program.attributionDays,
    allowed_origins: program.allowedOrigins,
    created_at: program.createdAt,
  });
}

/** Parses what `programAttributes` wrote. */
export function programOf(item: Item): Program {
  return {
    id: required(item, 'id', text),
    name: required(item, 'name', text),
    publicKey: required(item, 'public_key', text),
    siteUrl: required(item, 'site_url', text),
    linkParameter: required(item, 'link_parameter', text),
    commissionPercentage: optional(item, 'rate', number),
    commissionMonths: optional(item, 'commission_months', number),
    attributionDays: required(item, 'attribution_days', number),
    allowedOrigins: required(item, 'allowed_origins', texts),
    createdAt: required(item, 'created_at', wholeSeconds),
  };
}
