import { NOT_EXISTS, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { type Item, required } from '../../kernel/dynamodb/item.ts';
import { signInLinksKey } from '../../kernel/dynamodb/keys.ts';
import { EXPIRY_ATTRIBUTE } from '../../kernel/dynamodb/schema.ts';
import { get, retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import { put } from '../../kernel/dynamodb/writes.ts';
import { number, text, wholeSeconds } from '../../kernel/fields/parsers.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import { secondOf } from '../../kernel/time.ts';
import { afterLink, type LinkBudget, type SignInPage } from '../rules/link-budget.ts';

/** Who asks for a link: the page, and the hash of an address that nobody looks up. */
export interface LinkRequest {
  readonly address: string;
  readonly page: SignInPage;
}

/** The links of an address, as their item contains them. */
interface StoredLinks extends LinkBudget {
  /** The id of the last allowed request. The stream makes an email of a new one. */
  readonly request: string;
  readonly version: number;
}

/**
 * Asks for a link, with one read and one write, whether or not it is allowed and whoever has the address: neither time nor
 * units say anything. Returns false if the address has had too many links.
 */
export function requestLink(table: Table, program: string, { address, page }: LinkRequest): Promise<boolean> {
  const key = signInLinksKey(program, address, page);
  const request = uuidv7(table.clock(), table.random);
  return retryOnConflict<boolean>(table, async () => {
    const stored = parseLinks(await get(table, key));
    // An earlier attempt, whose response was lost, may have written it.
    if (stored?.request === request) return { result: true };
    const allowed = afterLink(stored, secondOf(table.clock()));
    const { lastAt, fullAt } = allowed ?? stored ?? never();
    const item = {
      ...key,
      ...{ last_at: lastAt, full_at: fullAt, version: (stored?.version ?? 0) + 1 },
      request: allowed ? request : (stored?.request ?? ''),
      // Then the address has all of its links again.
      [EXPIRY_ATTRIBUTE]: fullAt,
    };
    const failed = await put(table, item, stored ? unchangedSince(stored) : NOT_EXISTS);
    const isOwn = failed?.isRepeated === true && failed.item?.['request'] === request;
    return failed && !isOwn ? { conflict: undefined } : { result: allowed !== undefined };
  });
}

/** The first link of an address is always allowed. */
function never(): never {
  throw new RangeError('An address without links has no budget.');
}

function parseLinks(item: Item | undefined): StoredLinks | undefined {
  return (
    item && {
      lastAt: required(item, 'last_at', wholeSeconds),
      fullAt: required(item, 'full_at', wholeSeconds),
      request: required(item, 'request', text),
      version: required(item, 'version', number),
    }
  );
}
