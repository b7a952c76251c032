import type { Table } from '../../kernel/dynamodb/table.ts';
import type { SecretStore } from '../../kernel/secrets/secrets.ts';
import type { Resolve } from '../stream/addresses.ts';
import type { Queue } from '../stream/destinations.ts';
import type { Send } from '../stream/send.ts';

/** What the function uses besides the table. */
export interface IntegrationParts {
  readonly secrets: SecretStore;
  /** The queue of first attempts. */
  readonly queue: Queue;
  readonly send: Send;
  /** True for `npm start`, which also sends events to http addresses of this machine. */
  readonly isLocal: boolean;
  /** Resolves the names of URLs, by default by DNS. Only tests set it. */
  readonly resolve?: Resolve;
}

/** The table, and some of the parts. */
export type On<Name extends keyof IntegrationParts> = { readonly table: Table } & Pick<IntegrationParts, Name>;
