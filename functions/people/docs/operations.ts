import { toAffiliateData } from '../../advocates/http/mapping.ts';
import { AFFILIATE_DATA } from '../../advocates/http/schema.ts';
import { changeOwn } from '../../advocates/rules/advocate-changes.ts';
import { newToken } from '../../kernel/accounts/rules/token.ts';
import { addressHash } from '../../kernel/address.ts';
import { seconds } from '../../kernel/time.ts';
import { asReceived, example, type Operations } from '../../openapi/operation.ts';
import { ADVOCATE, ADVOCATE_TERMS, FORM, MEMBER, PROGRAM } from '../../openapi/records.ts';
import {
  parseCode,
  parseMember,
  parseMemberChanges,
  parseOwnChanges,
  parsePeopleChanges,
  parsePerson,
  parsePreview,
  parseSession,
  parseSignIn,
  toEmailPreview,
  toMember,
  toPeopleSettings,
  toRemovedMember,
  toSession,
} from '../http/mapping.ts';
import type { PEOPLE_ROUTES } from '../http/routes.ts';
import {
  AFFILIATE_CHANGES_BODY,
  CODE_BODY,
  EMAIL_PREVIEW_DATA,
  MEMBER_BODY,
  MEMBER_CHANGES_BODY,
  MEMBER_DATA,
  MEMBER_LIST,
  PEOPLE_CHANGES_BODY,
  PEOPLE_SETTINGS_DATA,
  PERSON_BODY,
  PREVIEW_BODY,
  REMOVED_MEMBER,
  SESSION_BODY,
  SESSION_DATA,
  SIGN_IN_BODY,
} from '../http/schema.ts';
import { exampleContent } from '../rules/emails/content.ts';
import { writeEmail } from '../rules/emails/email.ts';
import { NO_SETTINGS } from '../rules/emails/settings.ts';
import { makeLinkCode, writeLinkCode } from '../rules/link-code.ts';
import { APPLICATION_OPERATIONS } from './applications.ts';

const [NEW_ID, TOKEN_ID] = ['019b7c01-1f00-7a4d-8b3f-2c6d9e105a75', '019b7c01-1f00-7a4d-8b3f-2c6d9e105a76'];
const NOW = seconds(Date.UTC(2026, 10, 2, 12) / 1000);
const BASE_URL = 'https://api.example.com';

const CODE = writeLinkCode(
  makeLinkCode(PROGRAM.id, addressHash('amara-okafor@partners.example'), (count) => new Uint8Array(count)),
);
const SIGN_IN = { pk: PROGRAM.publicKey, email: 'amara-okafor@partners.example', page: 'portal' };
const SESSION = newToken({ advocate: ADVOCATE, isSession: true, expiresAt: seconds(NOW + 43_200) }, TOKEN_ID, NOW);
const CALLER = { kind: 'affiliate', program: PROGRAM, advocate: ADVOCATE, token: SESSION, tokenHash: '' } as const;
const OWN_CHANGES = { first_name: 'Amara', emails_off: ['paying'] };
const CHANGED = changeOwn(ADVOCATE, parseOwnChanges(OWN_CHANGES, CALLER, NOW), NOW);

const NEW_FIELDS = { email: 'kim@northwind.example', name: 'Kim Lee', scopes: ['read', 'advocates'] };
const NEW_MEMBER = { ...MEMBER, ...parseMember(NEW_FIELDS), id: NEW_ID, createdAt: NOW };
const MEMBER_EXAMPLE = example('A colleague', asReceived({ data: toMember(NEW_MEMBER) }));
const PROMOTED = { ...MEMBER, scopes: ['read', 'advocates', 'payouts'] as const };
const ENDED = newToken({ member: MEMBER, scopes: ['read'], name: 'Spreadsheet' }, TOKEN_ID, NOW);

const SETTINGS = { reply_to: 'partners@northwind.example', emails_off: ['paying'] };
const STORED = { ...NO_SETTINGS, ...FORM, ...parsePeopleChanges(SETTINGS) };
const SETTINGS_EXAMPLE = example('Where replies go', asReceived({ data: toPeopleSettings(PROGRAM.id, STORED) }));
const PREVIEW = writeEmail(exampleContent('settled', BASE_URL, PROGRAM), {
  program: PROGRAM,
  settings: STORED,
  unsubscribeUrl: `${BASE_URL}/v2/unsubscribe/example`,
});

/** Documents sign-in, members, and the emails of a program. */
export const PEOPLE_OPERATIONS: Operations<typeof PEOPLE_ROUTES> = {
  requestSignIn: {
    summary: 'Ask for a link to sign in',
    description:
      'Sends an email with a link to an advocate (`page`: `portal`) or a member (`dashboard`) who has the address. The response to every well-formed body is the same, so it does not say whether the address is known. An address gets links 60 seconds apart, three in a burst, then one each 10 minutes; a new link does not end an older one.',
    body: {
      schema: SIGN_IN_BODY,
      parse: parseSignIn,
      examples: { advocate: example('An advocate', SIGN_IN) },
    },
    successes: { 204: { description: 'If somebody has the address, the email is on its way.' } },
  },
  createSession: {
    summary: 'Sign in',
    description:
      'Exchanges the code in the link of the email for a token: of the advocate, or of the member, which is a program token with the scopes that the member has. A code works once, and for 15 minutes. Scanners of emails open links: spend the code only when the person presses a button.',
    body: {
      schema: SESSION_BODY,
      parse: parseSession,
      examples: { once: example('For this visit', { code: CODE }) },
    },
    successes: {
      201: {
        description: 'The token. It is shown only once.',
        schema: SESSION_DATA,
        examples: {
          once: example('For this visit', asReceived({ data: toSession(`rta_${'0'.repeat(36)}`, SESSION) })),
        },
      },
    },
    errors: ['invalid_link'],
  },
  deleteSession: {
    summary: 'Sign out',
    description: 'Revokes the calling token, which comes from a sign-in. It is rejected everywhere within 30 seconds.',
    successes: { 204: { description: 'The token is revoked.' } },
  },
  updateAffiliate: {
    summary: 'Change your own data (affiliate)',
    description:
      'Changes names, emails and payout account of the advocate who signed in: absent fields stay. The token must come from a sign-in, for the payout account of the last 15 minutes. Another account is pending for 3 days: payout runs and files leave the advocate out, and an email has a link that undoes the change. The request can safely be repeated.',
    body: {
      schema: AFFILIATE_CHANGES_BODY,
      parse: (body) => parseOwnChanges(body, CALLER, NOW),
      examples: { emails: example('A name, and fewer emails', OWN_CHANGES) },
    },
    successes: {
      200: {
        description: 'The advocate after the change.',
        schema: AFFILIATE_DATA,
        examples: {
          emails: example(
            'A name, and fewer emails',
            asReceived(toAffiliateData({ ...CALLER, advocate: CHANGED, terms: ADVOCATE_TERMS })),
          ),
        },
      },
    },
    errors: ['sign_in_required', 'sign_in_too_old', 'advocate_erased'],
  },
  undoPayoutAccount: {
    summary: 'Undo the change of a payout account',
    description:
      'Returns to the payout account before the advocate changed it, by the code in the link of the email about the change, and ends all tokens of the advocate.',
    body: { schema: CODE_BODY, parse: parseCode, examples: { undo: example('Not me', { code: CODE }) } },
    successes: { 204: { description: 'The previous account is back.' } },
    errors: ['invalid_link'],
  },
  showUnsubscribe: {
    summary: 'Show the page that stops emails',
    description: 'Shows a button and changes nothing, because scanners follow links.',
    successes: { 200: { description: 'The page.', type: 'text/html', schema: { type: 'string' } } },
  },
  unsubscribe: {
    summary: 'Stop emails',
    description:
      'Switches off all emails that an advocate can switch off, by the link in each of them (RFC 8058). It needs no sign-in, and its body is ignored. The request can safely be repeated.',
    successes: { 200: { description: 'A page that says so.', type: 'text/html', schema: { type: 'string' } } },
  },
  listMembers: {
    summary: 'List members',
    description: 'Lists all members of the program, the oldest first, on one page.',
    successes: {
      200: {
        description: 'The members.',
        schema: MEMBER_LIST,
        examples: {
          one: example('One member', asReceived({ data: [toMember(MEMBER)] })),
          none: example('No member', { data: [] }),
        },
      },
    },
  },
  createMember: {
    summary: 'Create a member',
    description:
      'Creates a member, who gets an email that says how to sign in. It can have only scopes that the caller has. A program has at most 100 members. The request can safely be repeated: a member with the same fields is returned.',
    body: { schema: MEMBER_BODY, parse: parseMember, examples: { colleague: example('A colleague', NEW_FIELDS) } },
    successes: {
      201: { description: 'The member.', schema: MEMBER_DATA, examples: { colleague: MEMBER_EXAMPLE } },
      200: {
        description: 'The member exists with the same fields.',
        schema: MEMBER_DATA,
        examples: { colleague: MEMBER_EXAMPLE },
      },
    },
    errors: ['member_exists', 'too_many_members'],
  },
  updateMember: {
    summary: 'Change a member',
    description:
      'Changes the fields that are given: absent fields stay. Other scopes end the sessions of the member. The caller must have the scopes that the member has and gets. The request can safely be repeated.',
    body: {
      schema: MEMBER_CHANGES_BODY,
      parse: parseMemberChanges,
      examples: { scopes: example('One scope more', { scopes: ['read', 'advocates', 'payouts'] }) },
    },
    successes: {
      200: {
        description: 'The member after the change.',
        schema: MEMBER_DATA,
        examples: { scopes: example('One scope more', asReceived({ data: toMember(PROMOTED) })) },
      },
    },
    errors: ['member_not_found', 'last_admin'],
  },
  removeMember: {
    summary: 'Remove a member',
    description:
      'Removes a member. Its sessions end within 30 seconds, and so do the tokens that it created, which the response lists. The caller must have the scopes that the member has.',
    successes: {
      200: {
        description: 'The member, and the tokens that ended.',
        schema: REMOVED_MEMBER,
        examples: { removed: example('With one token', asReceived(toRemovedMember(MEMBER, [ENDED]))) },
      },
    },
    errors: ['member_not_found', 'last_admin'],
  },
  getPeopleSettings: {
    summary: 'Get the settings of emails',
    description: 'Returns where replies go, what emails say besides, and which of them are switched off.',
    successes: {
      200: { description: 'The settings.', schema: PEOPLE_SETTINGS_DATA, examples: { some: SETTINGS_EXAMPLE } },
    },
  },
  updatePeopleSettings: {
    summary: 'Change the settings of emails',
    description:
      'Changes the settings that are given: absent ones stay, `null` clears one. `email_texts` has a paragraph for each kind of email, with the placeholders `{first_name}`, `{program}` and `{link}`: kinds that are absent keep theirs, `null` removes one. The request can safely be repeated.',
    body: {
      schema: PEOPLE_CHANGES_BODY,
      parse: parsePeopleChanges,
      examples: { replies: example('Where replies go', SETTINGS) },
    },
    successes: {
      200: {
        description: 'The settings after the change.',
        schema: PEOPLE_SETTINGS_DATA,
        examples: { replies: SETTINGS_EXAMPLE },
      },
    },
  },
  previewEmail: {
    summary: 'Preview an email',
    description: 'Returns an email of the program with example data. Nothing is sent.',
    body: {
      schema: PREVIEW_BODY,
      parse: parsePreview,
      examples: { settled: example('A payout', { kind: 'settled' }) },
    },
    successes: {
      200: {
        description: 'The email.',
        schema: EMAIL_PREVIEW_DATA,
        examples: { settled: example('A payout', asReceived({ data: toEmailPreview('settled', PREVIEW) })) },
      },
    },
  },
  erasePerson: {
    summary: 'Forget an address',
    description:
      'Deletes the application of an address with its answers, and the codes that were sent to the address. It removes no advocate and no member, and no limit. The request can safely be repeated.',
    body: {
      schema: PERSON_BODY,
      parse: parsePerson,
      examples: { person: example('An address', { email: 'jane.doe@example.com' }) },
    },
    successes: { 204: { description: 'Nothing of the address is left.' } },
  },
  ...APPLICATION_OPERATIONS,
};
