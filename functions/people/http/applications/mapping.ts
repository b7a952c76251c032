import { requireFieldScopes } from '../../../advocates/http/mapping.ts';
import { ADVOCATE_FIELDS } from '../../../kernel/accounts/rules/advocate-fields.ts';
import type { ProgramCaller } from '../../../kernel/accounts/rules/caller.ts';
import { withPayoutAccount } from '../../../kernel/accounts/rules/payout-account.ts';
import type { Program } from '../../../kernel/accounts/rules/program.ts';
import { attributesIn, parseInputs } from '../../../kernel/fields/field-list.ts';
import { parseEmail } from '../../../kernel/fields/fields.ts';
import { parseLines } from '../../../kernel/fields/lines.ts';
import { parsePaging } from '../../../kernel/http/list.ts';
import { givenFields, type QueryEvent, validBody, validQuery } from '../../../kernel/http/validation.ts';
import type { ApplicationDraft, ApprovedFields, Rejection } from '../../rules/applications/application.ts';
import { APPLICATION_FIELDS, type Application } from '../../rules/applications/application-fields.ts';
import { FORM_FIELDS } from '../../rules/applications/form-settings.ts';
import type { PeopleSettings } from '../../rules/emails/settings.ts';
import { applicationBody, applicationsQuery, approvalBody, rejectionBody } from '../validators.js';
import { APPLICATIONS_QUERY, REJECTION_BODY } from './schema.ts';

/** Parses an application. `isRobot`: the field is filled that people do not see. Throws `InvalidField`. */
export function parseApplicationBody(json: unknown) {
  const {
    pk,
    email,
    answers = {},
    terms_version = null,
    leave_empty: trap,
    ...names
  } = validBody(json, applicationBody);
  const { firstName = null, lastName = null } = parseInputs(ADVOCATE_FIELDS, names);
  const draft: ApplicationDraft = {
    ...{ email: parseEmail('email', email), firstName, lastName },
    ...{ answers, termsVersion: terms_version },
  };
  return { publicKey: pk, draft, isRobot: trap !== undefined };
}

/** Parses the query of a list of applications. Throws `InvalidField`. */
export function parseApplicationsQuery(event: QueryEvent) {
  const query = validQuery(event, APPLICATIONS_QUERY, applicationsQuery);
  return { state: query.state_eq ?? APPLICATIONS_QUERY.properties.state_eq.default, paging: parsePaging(query) };
}

/**
 * Parses the fields of the advocate that an approval creates. Absent names come from the application. Throws
 * `InvalidField`, or `MissingScope` for a payout account or a group.
 */
export function parseApproval(json: unknown, caller?: ProgramCaller): ApprovedFields {
  const given = givenFields(json) ?? {};
  if (caller) requireFieldScopes(caller, given);
  return withPayoutAccount(parseInputs(ADVOCATE_FIELDS, validBody(given, approvalBody)));
}

/** Parses a rejection. Throws `InvalidField`. */
export function parseRejection(json: unknown): Rejection {
  const { note, notify = false, may_apply_again = false } = validBody(json ?? {}, rejectionBody);
  const text = note === undefined ? null : parseLines('note', note, REJECTION_BODY.properties.note.maxLength);
  return { note: text, notify, mayApplyAgain: may_apply_again };
}

/** Builds the resource of an application for the merchant. */
export function toApplication(application: Application) {
  const attributes = attributesIn(APPLICATION_FIELDS, 'api', application);
  return { id: application.id, type: 'application', attributes } as const;
}

/**
 * Builds what the link of an application shows to the owner of the address. A rejection without `notify` is shown as pending.
 */
export function toSentApplication(application: Application, { name, siteUrl }: Program) {
  const isUntold = application.state === 'rejected' && !application.notify;
  const shown: Application = isUntold ? { ...application, state: 'pending' } : application;
  const attributes = attributesIn(APPLICATION_FIELDS, 'applicant', shown);
  const program = { name, site_url: siteUrl };
  return { id: application.id, type: 'application', attributes: { ...attributes, program } } as const;
}

/** Builds the form of a program. */
export function toApplicationForm({ publicKey, name, accent, logoVersion }: Program, settings: PeopleSettings) {
  const program = { program_name: name, accent, logo_version: logoVersion };
  const attributes = { ...program, ...attributesIn(FORM_FIELDS, 'form', settings) };
  return { id: publicKey, type: 'application_form', attributes } as const;
}
