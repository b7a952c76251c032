import type { Program } from '../domain/program.ts';
import type { ListedAdvocate } from '../table/advocates.ts';
import type { AdvocateResource } from './schema.ts';

/** An advocate as the list and the operator's command line show it. `link` makes its link of its slug. */
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
