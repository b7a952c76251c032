import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import type { Events } from '../events.ts';
import type { FakeTable } from '../fake/table.ts';
import type { Knowledge } from '../knowledge.ts';
import type { Mail } from '../mail.ts';
import type { Past } from '../past.ts';
import type { Service } from '../service.ts';
import type { Sessions } from '../sessions.ts';
import type { Shop } from '../shops.ts';
import type { StatisticsStream } from '../statistics.ts';

/** Everything that an invariant compares. */
export interface Evidence {
  readonly table: FakeTable;
  /** The service on a network without faults. */
  readonly service: Service;
  readonly shops: readonly Shop[];
  readonly knowledge: Knowledge;
  readonly events: Events;
  readonly statistics: StatisticsStream;
  readonly past: Past;
  readonly mail: Mail;
  readonly sessions: Sessions;
  /** Where addresses, codes and tokens were found that should not be there. */
  readonly leaks: readonly string[];
  /** The table on a network without faults. */
  readonly operator: Table;
}

/** Returns a sentence for whatever breaks a promise. */
export type Check = (evidence: Evidence) => Iterable<string>;
