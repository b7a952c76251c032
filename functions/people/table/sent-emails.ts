import { NOT_EXISTS } from '../../kernel/dynamodb/conditions.ts';
import { deleteAll } from '../../kernel/dynamodb/delete-items.ts';
import { sentEmailKey } from '../../kernel/dynamodb/keys.ts';
import { EXPIRY_ATTRIBUTE } from '../../kernel/dynamodb/schema.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { type Condition, type LabelledCheck, putWrite, transact } from '../../kernel/dynamodb/writes.ts';
import { DAY, type Seconds, secondOf } from '../../kernel/time.ts';
import type { LinkCode } from '../rules/link-code.ts';
import { codeWrite, keyOfCode, type StoredCode } from './link-codes.ts';

/** How long a mark is kept, in seconds: longer than a queue keeps a message. */
const KEPT = 15 * DAY;

/** The check that a person, whom an email is about, has not changed since it was read. */
export type PersonCheck = LabelledCheck<'person'>;

/** The mark that an email was sent, and what the email needs. */
export interface EmailMark {
  readonly program: string;
  /** Two emails with the same name are one. */
  readonly name: string;
  /** Seconds after which an email with the name may be sent again; `undefined` for never. */
  readonly again?: number;
  /** Orders what causes emails with the name: a later email is not followed by an earlier one. */
  readonly version?: number;
  readonly people: readonly PersonCheck[];
  readonly codes: readonly { readonly code: LinkCode; readonly stored: StoredCode }[];
}

/**
 * Marks an email as sent, and stores the codes of its links, before it is sent: a lost email is better than two. Returns
 * `repeated` if it was marked before, and `outdated` if somebody has changed since the email's data were read.
 */
export async function markAsSent(table: Table, mark: EmailMark): Promise<'marked' | 'repeated' | 'outdated'> {
  const { program, name, version = 0, people, codes } = mark;
  const now = secondOf(table.clock());
  const item = { ...sentEmailKey(program, name), sent_at: now, version, [EXPIRY_ATTRIBUTE]: now + KEPT };
  const failed = await transact<string>(table, [
    putWrite('mark', item, conditionOf(mark, now)),
    ...people,
    ...codes.map(({ code, stored }) => codeWrite(code, stored)),
  ]);
  if (failed.has('mark')) return 'repeated';
  return failed.size === 0 ? 'marked' : 'outdated';
}

function conditionOf({ again, version = 0 }: EmailMark, now: Seconds): Condition {
  if (again === undefined) return NOT_EXISTS;
  return {
    ConditionExpression: `${NOT_EXISTS.ConditionExpression} OR (sent_at <= :before AND #version < :version)`,
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':before': now - again, ':version': version },
  };
}

/** Takes a mark back, and the codes that nobody got: the email was refused, and may be tried again. */
export const takeBack = (table: Table, { program, name, codes }: EmailMark): Promise<void> =>
  deleteAll(table, [sentEmailKey(program, name), ...codes.map(({ code }) => keyOfCode(code))]);
