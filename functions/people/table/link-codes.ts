import { both, EXISTS, NOT_EXISTS } from '../../kernel/dynamodb/conditions.ts';
import { type Item, optional, required } from '../../kernel/dynamodb/item.ts';
import { codeOfLinkKey, type Key } from '../../kernel/dynamodb/keys.ts';
import { EXPIRY_ATTRIBUTE } from '../../kernel/dynamodb/schema.ts';
import { get, type Table } from '../../kernel/dynamodb/table.ts';
import { deleteWrite, type LabelledPut, type LabelledWrite, putWrite } from '../../kernel/dynamodb/writes.ts';
import { number, oneOf, text, wholeSeconds } from '../../kernel/fields/parsers.ts';
import type { Seconds } from '../../kernel/time.ts';
import { InvalidLink } from '../rules/errors.ts';
import type { LinkCode } from '../rules/link-code.ts';

/** What a code does: it signs somebody in, undoes a change of a payout account, or confirms an application. */
const PURPOSES = ['sign_in', 'undo', 'confirm'] as const;

/** What is stored of a code. */
export interface StoredCode {
  readonly purpose: (typeof PURPOSES)[number];
  /** The advocate, or `null` for a member. */
  readonly slug: string | null;
  readonly member: string | null;
  /** The application to confirm. */
  readonly application: string | null;
  /** The advocate's `emailVersion` when the link was sent; 0 for a member, whose email never changes. */
  readonly emailVersion: number;
  readonly expiresAt: Seconds;
}

/** The key of a code. */
export const keyOfCode = ({ program, address, secret }: LinkCode): Key => codeOfLinkKey(program, address, secret);

/** Builds the write of a new code. */
export function codeWrite(code: LinkCode, stored: StoredCode): LabelledPut<'code'> {
  const { purpose, slug, member, application, emailVersion, expiresAt } = stored;
  return putWrite(
    'code',
    {
      ...keyOfCode(code),
      purpose,
      ...(slug !== null && { slug }),
      ...(member !== null && { member }),
      ...(application !== null && { application }),
      email_version: emailVersion,
      [EXPIRY_ATTRIBUTE]: expiresAt,
    },
    NOT_EXISTS,
  );
}

/** Reads a valid code for a purpose. Throws `InvalidLink`. */
export async function readCode(
  table: Table,
  code: LinkCode,
  purpose: StoredCode['purpose'],
  now: Seconds,
): Promise<StoredCode> {
  const stored = parseCode(await get(table, keyOfCode(code)));
  if (stored?.purpose !== purpose || stored.expiresAt <= now) throw new InvalidLink();
  return stored;
}

/** Builds the write that spends a code: it fails if another request has spent it, or it has expired. */
export function spendWrite(code: LinkCode, now: Seconds): LabelledWrite<'code'> {
  const isValid = {
    ConditionExpression: '#expires_at > :now',
    ExpressionAttributeNames: { '#expires_at': EXPIRY_ATTRIBUTE },
    ExpressionAttributeValues: { ':now': now },
  };
  return deleteWrite('code', keyOfCode(code), both(EXISTS, isValid));
}

function parseCode(item: Item | undefined): StoredCode | undefined {
  return (
    item && {
      purpose: required(item, 'purpose', oneOf(PURPOSES)),
      slug: optional(item, 'slug', text),
      member: optional(item, 'member', text),
      application: optional(item, 'application', text),
      emailVersion: required(item, 'email_version', number),
      expiresAt: required(item, EXPIRY_ATTRIBUTE, wholeSeconds),
    }
  );
}
