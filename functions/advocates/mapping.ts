import type { Program } from '../domain/program.ts';
import type { SecondsRange } from '../domain/time.ts';
import { type Paging, parsePaging, parseRange } from '../http/list.ts';
import { type QueryEvent, validQuery } from '../http/validation.ts';
import type { ListedAdvocate } from '../table/advocates.ts';
import { ADVOCATES_QUERY, type AdvocateResource } from './schema.ts';
import { advocatesQuery } from './validators.js';

/** Parses the paging and the filter of a query. Throws `InvalidField`. */
export function advocatesInput(event: QueryEvent): { paging: Paging; createdAt: SecondsRange | undefined } {
  const query = validQuery(event, ADVOCATES_QUERY, advocatesQuery);
  return { paging: parsePaging(query), createdAt: parseRange('created_at', query.created_at_gt, query.created_at_lt) };
}

/** Builds the resource of an advocate, for list and command line. `link` returns the referral link of a slug. */
export function advocateResource(
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
