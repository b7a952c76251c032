import { toAdvocate } from '../../advocates/http/mapping.ts';
import { ADVOCATE_DETAILS_DATA } from '../../advocates/http/schema.ts';
import { draftAdvocate } from '../../advocates/rules/advocate-changes.ts';
import { referralLinks } from '../../kernel/accounts/rules/advocate.ts';
import { addressHash } from '../../kernel/address.ts';
import { seconds } from '../../kernel/time.ts';
import { asReceived, example, type Operations } from '../../openapi/operation.ts';
import { APPLICATION, FORM, OTHER_APPLICATION, PROGRAM } from '../../openapi/records.ts';
import {
  parseApplicationBody,
  parseApplicationsQuery,
  parseApproval,
  parseRejection,
  toApplication,
  toApplicationForm,
  toSentApplication,
} from '../http/applications/mapping.ts';
import {
  APPLICATION_BODY,
  APPLICATION_DATA,
  APPLICATION_FORM_DATA,
  APPLICATION_LIST,
  APPLICATIONS_QUERY,
  APPROVAL_BODY,
  REJECTION_BODY,
  SENT_APPLICATION_DATA,
} from '../http/applications/schema.ts';
import { parseCode } from '../http/mapping.ts';
import type { PEOPLE_ROUTES } from '../http/routes.ts';
import { CODE_BODY } from '../http/schema.ts';
import { confirmed, draftOf, newApplication, rejected } from '../rules/applications/application.ts';
import { NO_SETTINGS } from '../rules/emails/settings.ts';
import { makeLinkCode, writeLinkCode } from '../rules/link-code.ts';

const NEW_ID = '019b7c01-1f00-7a4d-8b3f-2c6d9e105a77';
const NOW = seconds(Date.UTC(2026, 10, 2, 12) / 1000);
const random = (count: number) => new Uint8Array(count);

const SETTINGS = { ...NO_SETTINGS, ...FORM };
const SENT_BODY = {
  pk: PROGRAM.publicKey,
  email: 'mira@partners.example',
  first_name: 'Mira',
  last_name: 'Novak',
  answers: { website: 'https://mira.example' },
};
const SENT = newApplication(parseApplicationBody(SENT_BODY).draft, SETTINGS, { id: NEW_ID, now: NOW });
const CONFIRMED = confirmed(SENT, SETTINGS, { isDisposable: false, isAdvocate: false, now: NOW });
const CODE = writeLinkCode(makeLinkCode(PROGRAM.id, addressHash(SENT.email), random));
const APPROVAL = { commission_percentage: 25 };
const APPROVED = draftAdvocate(draftOf(APPLICATION, parseApproval(APPROVAL)), PROGRAM, {
  id: NEW_ID,
  now: NOW,
  random,
});
const REJECTION = { note: 'We only work with shops in Germany at present.', notify: true };
const REJECTED = rejected(OTHER_APPLICATION, parseRejection(REJECTION), NOW);
const codeBody = {
  schema: CODE_BODY,
  parse: parseCode,
  examples: { link: example('The code of a link', { code: CODE }) },
};

/** Documents applications and invitations. */
export const APPLICATION_OPERATIONS: Pick<
  Operations<typeof PEOPLE_ROUTES>,
  | 'getApplicationForm'
  | 'sendApplication'
  | 'lookUpApplication'
  | 'confirmApplication'
  | 'listApplications'
  | 'approveApplication'
  | 'rejectApplication'
  | 'inviteAdvocate'
> = {
  getApplicationForm: {
    summary: 'Get the form of a program',
    description:
      'Returns what a form for applications shows: the text and the terms of the program, and its questions.',
    successes: {
      200: {
        description: 'The form.',
        schema: APPLICATION_FORM_DATA,
        examples: {
          form: example('A form with one question', asReceived({ data: toApplicationForm(PROGRAM, SETTINGS) })),
        },
      },
    },
    errors: ['invalid_field', 'applications_closed'],
  },
  sendApplication: {
    summary: 'Apply',
    description:
      'Sends an application to become an advocate. The address gets a link that shows the application and confirms it; the address of an advocate gets a link to sign in instead. The response is the same for every valid body. Another application of the address replaces an unconfirmed application, and changes nothing about a confirmed one. An address gets at most 3 of these emails a day; a program sends at most 200 an hour.',
    body: {
      schema: APPLICATION_BODY,
      parse: parseApplicationBody,
      examples: { website: example('With an answer', SENT_BODY) },
    },
    successes: { 204: { description: 'The application is stored, unless nothing may be stored for the address.' } },
    errors: ['applications_closed', 'too_many_applications'],
  },
  lookUpApplication: {
    summary: 'Look at an application',
    description:
      'Returns the application of a link as it was sent. It changes nothing, so scanners of emails may open links.',
    body: codeBody,
    successes: {
      200: {
        description: 'The application.',
        schema: SENT_APPLICATION_DATA,
        examples: { sent: example('Not confirmed yet', asReceived({ data: toSentApplication(SENT, PROGRAM) })) },
      },
    },
    errors: ['invalid_link'],
  },
  confirmApplication: {
    summary: 'Confirm an application',
    description:
      "Confirms that the address of an application is the applicant's. The application then is `pending`; in a program with `applications` = `automatic` it is `approved`, unless it has a flag or 50 were approved this day (UTC). The request can safely be repeated.",
    body: codeBody,
    successes: {
      200: {
        description: 'The application after that.',
        schema: SENT_APPLICATION_DATA,
        examples: {
          pending: example('The merchant decides', asReceived({ data: toSentApplication(CONFIRMED, PROGRAM) })),
        },
      },
    },
    errors: ['invalid_link'],
  },
  listApplications: {
    summary: 'List applications',
    description:
      'Lists the applications in a state, newest first. Follow `Link` to the next page: there are no page numbers.',
    query: { schema: APPLICATIONS_QUERY, parse: parseApplicationsQuery },
    successes: {
      200: {
        description: 'A page of applications.',
        headers: ['NextPage'],
        schema: APPLICATION_LIST,
        examples: {
          one: example(
            'One application',
            asReceived({
              data: [toApplication(APPLICATION)],
              meta: { pagination: { page: 1, per_page: 1, has_more: false } },
            }),
          ),
        },
      },
    },
  },
  approveApplication: {
    summary: 'Approve an application',
    description:
      'Creates the advocate of an application, who gets an email with its link. The body may have the fields of a new advocate: absent names come from the application. Repeated, it returns the same advocate with 200.',
    body: {
      schema: APPROVAL_BODY,
      parse: (body) => parseApproval(body),
      examples: { rate: example('With an own rate', APPROVAL) },
    },
    successes: {
      200: { description: 'The application was approved before.', schema: ADVOCATE_DETAILS_DATA },
      201: {
        description: 'The advocate.',
        schema: ADVOCATE_DETAILS_DATA,
        examples: {
          rate: example(
            'With an own rate',
            asReceived({ data: toAdvocate(PROGRAM, referralLinks(PROGRAM), APPROVED.advocate) }),
          ),
        },
      },
    },
    errors: ['application_not_found', 'uid_taken', 'slug_taken', 'application_decided'],
  },
  rejectApplication: {
    summary: 'Reject an application',
    description:
      'Rejects an application. Its answers are deleted after 30 days; the address may apply again after 180 days, or immediately with `may_apply_again`. Repeated, it changes nothing.',
    body: {
      schema: REJECTION_BODY,
      parse: parseRejection,
      examples: { note: example('With an email', REJECTION) },
    },
    successes: {
      200: {
        description: 'The application.',
        schema: APPLICATION_DATA,
        examples: { note: example('With an email', asReceived({ data: toApplication(REJECTED) })) },
      },
    },
    errors: ['application_not_found', 'application_decided'],
  },
  inviteAdvocate: {
    summary: 'Invite an advocate',
    description:
      'Sends an advocate an email with its link and how to sign in, at most once a day. The request can safely be repeated.',
    successes: { 204: { description: 'The email is on its way, or was sent in the last 24 hours.' } },
    errors: ['advocate_not_found', 'advocate_erased'],
  },
};
