import { advocateResource } from '../../functions/advocates/resource.ts';
import { type Advocate, referralLinks } from '../../functions/domain/advocate.ts';
import type { Program } from '../../functions/domain/program.ts';

/** What is told of advocates of a program: their attributes as in the API, and what only the operator sees. */
export function advocateFieldsIn(program: Program) {
  const link = referralLinks(program);
  return (advocate: Advocate) => ({
    ...advocateResource(program, link, advocate).attributes,
    commission_percentage: advocate.commissionPercentage,
    active: advocate.active,
  });
}
