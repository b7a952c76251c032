import { InvalidField } from '../../errors.ts';
import { type FieldList, fromText, type Values } from '../../fields/field-list.ts';
import { EMAIL_PATTERN, MAX_NAME, parseEmail } from '../../fields/fields.ts';
import { list, oneOf, text, wholeSeconds } from '../../fields/parsers.ts';
import { NULLABLE_TEXT, TIME, textInput } from '../../fields/schemas.ts';
import { SCOPES, type Scope, sortedScopes } from './token.ts';

/** The most members of a program: all of them are one item. */
export const MAX_MEMBERS = 100;

const SCOPE_LIST = { type: 'array', items: { type: 'string', enum: SCOPES } } as const;

/** Everything that the service knows of each field of a member, in the order of its resource. */
export const MEMBER_FIELDS = {
  /** UUIDv7. */
  id: { attribute: 'id', stored: { parse: text } },
  /** It never changes. */
  email: {
    attribute: 'email',
    stored: { parse: text },
    schema: { type: 'string' },
    forms: ['api'],
    input: {
      schema: {
        type: 'string',
        pattern: EMAIL_PATTERN,
        description: 'The address that gets the links to sign in. It can never change.',
        examples: ['sam@example.com'],
      },
      parse: fromText(parseEmail),
      isFixed: true,
    },
  },
  name: {
    attribute: 'name',
    stored: { parse: text, empty: null },
    schema: NULLABLE_TEXT,
    forms: ['api'],
    input: textInput(MAX_NAME, { description: `At most ${MAX_NAME} characters.`, examples: ['Sam Field'] }),
  },
  scopes: {
    attribute: 'scopes',
    stored: { parse: storedScopes },
    schema: SCOPE_LIST,
    forms: ['api'],
    input: {
      schema: {
        ...SCOPE_LIST,
        minItems: 1,
        description: 'What the member may do. The caller must have each of these scopes.',
        examples: [['read', 'payouts']],
      },
      parse: parseScopes,
      rejectsNull: true,
    },
  },
  createdAt: { attribute: 'created_at', stored: { parse: wholeSeconds }, schema: TIME, forms: ['api'] },
  lastSignedInAt: {
    attribute: 'last_signed_in_at',
    stored: { parse: wholeSeconds, empty: null },
    schema: { type: ['integer', 'null'], description: 'Unix seconds; `null` if the member never signed in.' },
    forms: ['api'],
  },
  /**
   * When all sessions of the member last ended, and each time later than before; `null`: never. A session is valid only
   * while this is what it was at the sign-in.
   */
  sessionsEndedAt: { attribute: 'sessions_ended_at', stored: { parse: wholeSeconds, empty: null } },
} as const satisfies FieldList;

/** A colleague of the merchant, who signs in with an email. */
export type Member = Values<typeof MEMBER_FIELDS>;

function storedScopes(value: unknown): readonly Scope[] | undefined {
  return list(value)
    ?.map(oneOf(SCOPES))
    .filter((scope) => scope !== undefined);
}

function parseScopes(name: string, value: unknown): readonly Scope[] {
  const scopes = storedScopes(value);
  if (!scopes || scopes.length === 0) throw new InvalidField(name, `must be a list of ${SCOPES.join(', ')}`);
  return sortedScopes(scopes);
}
