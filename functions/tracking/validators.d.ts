// Made by `npm run generate` of schema.ts beside it. Not to be edited.
import type { Checked, Validator } from '../http/validation.ts';
import type { CONVERSION_V1_BODY } from './schema.ts';

export const conversionV1Body: Validator<Checked<typeof CONVERSION_V1_BODY>>;
