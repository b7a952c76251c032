// Made by `npm run generate` of schema.ts beside it. Not to be edited.
import type { Checked, Validator } from '../http/validation.ts';
import type { ADVOCATES_QUERY } from './schema.ts';

export const advocatesQuery: Validator<Checked<typeof ADVOCATES_QUERY>>;
