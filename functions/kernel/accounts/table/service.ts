import type { Connection } from '../../dynamodb/connection.ts';
import type { Edge } from '../../edge.ts';
import type { Milliseconds } from '../../time.ts';
import { callersOf } from './callers.ts';

/** Creates the dependencies that the handlers of a function share, with one cache of callers for all of them. */
export function serviceOn(connection: Connection, edge?: Edge) {
  const { clock } = connection;
  return { clock, until: (deadline: Milliseconds) => connection.until(deadline), callers: callersOf(clock), edge };
}
