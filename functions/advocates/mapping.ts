import { type AdvocateChanges, type AdvocateDraft, EMPTY_ADVOCATE } from '../domain/advocate.ts';
import { MAX_UID, parseEmail, parseOptionalName, parseOptionalText, parseSlug } from '../domain/fields.ts';
import type { Program } from '../domain/program.ts';
import type { Seconds, SecondsRange } from '../domain/time.ts';
import { type Paging, parsePaging, parseRange } from '../http/list.ts';
import { type QueryEvent, validBody, validPatch, validQuery } from '../http/validation.ts';
import type { ListedAdvocate } from '../table/advocates.ts';
import {
  ADVOCATE_TOKEN_BODY,
  ADVOCATES_QUERY,
  type AdvocateChangesBody,
  type AdvocateResource,
  type AdvocateTokenResource,
  type AdvocateV2Resource,
} from './schema.ts';
import { advocateChangesBody, advocatesQuery, advocateTokenBody, newAdvocateBody } from './validators.js';

/** Parses the paging and the filter of a query. Throws `InvalidField`. */
export function advocatesInput(event: QueryEvent): { paging: Paging; createdAt: SecondsRange | undefined } {
  const query = validQuery(event, ADVOCATES_QUERY, advocatesQuery);
  return { paging: parsePaging(query), createdAt: parseRange('created_at', query.created_at_gt, query.created_at_lt) };
}

/** Parses the body that creates an advocate. Throws `InvalidField`. */
export function newAdvocate(json: unknown): AdvocateDraft {
  const { email, slug, ...optional } = validBody(json, newAdvocateBody);
  return {
    ...EMPTY_ADVOCATE,
    email: parseEmail('email', email),
    ...fieldsOf(optional),
    slug: slug === undefined ? null : parseSlug('slug', slug),
  };
}

/** Parses the body that changes an advocate. Throws `InvalidField`. */
export function advocateChanges(json: unknown): AdvocateChanges {
  const { email, active, ...optional } = validPatch(json, advocateChangesBody, {
    slug: 'cannot be changed, because links contain it: remove it',
  });
  return {
    ...(email !== undefined && { email: parseEmail('email', email) }),
    ...fieldsOf(optional),
    ...(active !== undefined && { active }),
  };
}

type OptionalFields = Pick<
  AdvocateChangesBody,
  'first_name' | 'last_name' | 'uid' | 'company_id' | 'company' | 'commission_percentage'
>;

function fieldsOf(body: OptionalFields): Omit<AdvocateChanges, 'email' | 'active'> {
  const { first_name, last_name, uid, company_id, company, commission_percentage } = body;
  return {
    ...(first_name !== undefined && { firstName: parseOptionalName('first_name', first_name) }),
    ...(last_name !== undefined && { lastName: parseOptionalName('last_name', last_name) }),
    ...(uid !== undefined && { uid: parseOptionalText('uid', uid, MAX_UID) }),
    ...(company_id !== undefined && { companyId: parseOptionalText('company_id', company_id, MAX_UID) }),
    ...(company !== undefined && { company: parseOptionalName('company', company) }),
    ...(commission_percentage !== undefined && { commissionPercentage: commission_percentage }),
  };
}

/** Parses the body that creates a token. Returns the seconds until it expires. Throws `InvalidField`. */
export function tokenLifetime(json: unknown): number {
  return validBody(json, advocateTokenBody).expires_in ?? ADVOCATE_TOKEN_BODY.properties.expires_in.default;
}

/** Builds the resource of an advocate in V1. `link` returns the referral link of a slug. */
export function advocateV1(
  program: Program,
  link: (slug: string) => string,
  advocate: ListedAdvocate,
): AdvocateResource {
  const hasCompany = advocate.companyId !== null || advocate.company !== null;
  return {
    id: advocate.id,
    type: 'advocate',
    attributes: {
      id: advocate.id,
      uid: advocate.uid,
      email: advocate.email,
      first_name: advocate.firstName,
      last_name: advocate.lastName,
      slug: advocate.slug,
      referral_link: link(advocate.slug),
      company_id: hasCompany ? advocate.companyId : program.id,
      company: hasCompany ? advocate.company : program.name,
      created_at: advocate.createdAt,
    },
  };
}

/** Builds the resource of an advocate in V2, for API and command line. */
export function advocateV2(
  program: Program,
  link: (slug: string) => string,
  advocate: ListedAdvocate,
): AdvocateV2Resource {
  const { id, type, attributes } = advocateV1(program, link, advocate);
  const { active, commissionPercentage: commission_percentage } = advocate;
  return { id, type, attributes: { ...attributes, active, commission_percentage } };
}

/** Builds the resource of a new token. */
export function advocateToken(id: string, token: string, expiresAt: Seconds): AdvocateTokenResource {
  return { id, type: 'token', attributes: { token, expires_at: expiresAt } };
}
