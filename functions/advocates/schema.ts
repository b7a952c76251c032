import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { ID, LIST_PARAMETERS, listOf, resource, TIME } from '../http/schema.ts';

export const ADVOCATES_QUERY = { type: 'object', properties: LIST_PARAMETERS } as const satisfies JSONSchema;

const NULLABLE = { type: ['string', 'null'] } as const;

export const ADVOCATE = /* @__PURE__ */ resource('advocate', {
  id: ID,
  uid: { type: ['string', 'null'], description: "The merchant's own id of the advocate." },
  email: { type: 'string' },
  first_name: NULLABLE,
  last_name: NULLABLE,
  slug: { type: 'string', description: "The advocate's name in links." },
  referral_link: { type: 'string', examples: ['https://example.com/?via=jane-doe'] },
  company_id: {
    type: ['string', 'null'],
    description: "The advocate's organization. If it has neither id nor name, both are those of the program.",
  },
  company: NULLABLE,
  created_at: TIME,
}) satisfies JSONSchema;
export type AdvocateResource = FromSchema<typeof ADVOCATE>;
export const ADVOCATE_LIST = /* @__PURE__ */ listOf(ADVOCATE);

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = { advocatesQuery: ADVOCATES_QUERY };
