import type { DynamoDBRecord } from 'aws-lambda';
import { type Item, parseFields } from '../../../kernel/dynamodb/item.ts';
import {
  applicationKey,
  applicationsInState,
  isApplicationKey,
  keyOf,
  programInKey,
} from '../../../kernel/dynamodb/keys.ts';
import { buildQuery } from '../../../kernel/dynamodb/page.ts';
import { ALL_TIME } from '../../../kernel/dynamodb/plan.ts';
import { PARTITION_KEY, SORT_KEY } from '../../../kernel/dynamodb/schema.ts';
import { toItem } from '../../../kernel/dynamodb/stream-image.ts';
import { batchGet, get, queryPages, type Table } from '../../../kernel/dynamodb/table.ts';
import { type Seconds, secondOf } from '../../../kernel/time.ts';
import { type ApplicationEvent, eventsOfApplication } from '../../rules/applications/application-event.ts';
import { APPLICATION_FIELDS } from '../../rules/applications/application-fields.ts';
import { parseApplication } from './items.ts';

/** What happened to an application in a record of the stream. */
export interface ApplicationChange {
  readonly program: string;
  readonly events: readonly ApplicationEvent[];
}

const eventsIn = (item: Item | undefined): readonly ApplicationEvent[] =>
  item ? eventsOfApplication(parseFields(APPLICATION_FIELDS, item)) : [];

/** Parses the write of an application. Returns `undefined` for other records. Throws `MalformedItem`. */
export function applicationChangeOf({ dynamodb }: DynamoDBRecord): ApplicationChange | undefined {
  const after = dynamodb?.NewImage && toItem(dynamodb.NewImage);
  if (!after || !isApplicationKey(keyOf(after))) return undefined;
  const known = eventsIn(dynamodb.OldImage && toItem(dynamodb.OldImage)).map(({ id }) => id);
  const events = eventsIn(after).filter(({ id }) => !known.includes(id));
  return { program: programInKey(keyOf(after).pk), events };
}

/** Rows in one request: the limit of a batch, which reads their items. */
const PAGE = 100;

/** Reads the events since a second of all applications of a program that still exist, and some earlier ones, page by page. */
export async function* pastApplicationEvents(table: Table, program: string, from: Seconds) {
  for (const state of ['pending', 'approved', 'rejected']) {
    const partition = applicationsInState(program, state);
    // A state is not older than the events before it.
    const range = { from, to: ALL_TIME.to };
    const query = buildQuery({ index: 'by_program_state', partition, range, filter: {} }, undefined);
    if (!query) continue;
    const keysOnly = { ...query, ProjectionExpression: `${PARTITION_KEY}, ${SORT_KEY}` };
    for await (const { items: rows } of queryPages(table, keysOnly, () => PAGE)) {
      const items = await batchGet(table, rows.map(keyOf));
      yield { rows: rows.length, events: items.flatMap((item) => keptEventsIn(table, item)) };
    }
  }
}

/** Returns the events of an item, unless its application has expired. */
function keptEventsIn(table: Table, item: Item | undefined): readonly ApplicationEvent[] {
  const { value } = parseApplication(item, secondOf(table.clock()));
  return value ? eventsOfApplication(value) : [];
}

/** Reads the events of an application; none if it does not exist. */
export const eventsOfId = async (table: Table, program: string, id: string): Promise<readonly ApplicationEvent[]> =>
  keptEventsIn(table, await get(table, applicationKey(program, id)));
