import { IdTaken } from '../domain/errors.ts';
import { number, oneOf, text, texts, wholeSeconds } from '../domain/parsers.ts';
import type { Program } from '../domain/program.ts';
import { REFUND_RULES } from '../domain/program.ts';
import { type Item, optional, required, withoutNulls } from './dynamodb/item.ts';
import { putNew } from './dynamodb/put-new.ts';
import { get, type Table } from './dynamodb/table.ts';
import { ALL_PROGRAMS, programKey, sortKey } from './keys.ts';

/** Stores a new program. Succeeds if an earlier attempt, whose response was lost, stored it. Throws `IdTaken`. */
export async function createProgram(table: Table, program: Program): Promise<void> {
  if (!(await putNew(table, toProgramItem(program)))) throw new IdTaken();
}

/** Reads a program; `undefined` if it does not exist. */
export async function findProgram(table: Table, id: string): Promise<Program | undefined> {
  const item = await get(table, programKey(id));
  return item && parseProgram(item);
}

/** Builds the item of a program. */
export function toProgramItem(program: Program): Item {
  const created = sortKey(program.createdAt, program.id);
  return { ...programKey(program.id), owner: ALL_PROGRAMS, created, ...toProgramAttributes(program) };
}

/** Builds the attributes of a program, for its item and for the copy in each of its tokens. */
export function toProgramAttributes(program: Program): Item {
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
    // Most programs have the default.
    on_refund: program.onRefund === 'ignore' ? null : program.onRefund,
    created_at: program.createdAt,
  });
}

/** Parses the attributes of a program. */
export function parseProgram(item: Item): Program {
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
    onRefund: optional(item, 'on_refund', oneOf(REFUND_RULES)) ?? 'ignore',
    createdAt: required(item, 'created_at', wholeSeconds),
  };
}
