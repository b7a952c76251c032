// Made by `npm run generate` of schema.ts beside it. Not to be edited.
import type { Checked, Validator } from '../http/validation.ts';
import type { REFERRALS_QUERY } from './schema.ts';

export const referralsQuery: Validator<Checked<typeof REFERRALS_QUERY>>;
