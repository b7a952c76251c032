// Made by `npm run generate` of schema.ts beside it. Not to be edited.
import type { Checked, Validator } from '../http/validation.ts';
import type { CONVERSION_V1_BODY, CONVERSION_V2_BODY, STATE_BODY, CLICK_BODY } from './schema.ts';

export const conversionV1Body: Validator<Checked<typeof CONVERSION_V1_BODY>>;
export const conversionV2Body: Validator<Checked<typeof CONVERSION_V2_BODY>>;
export const stateBody: Validator<Checked<typeof STATE_BODY>>;
export const clickBody: Validator<Checked<typeof CLICK_BODY>>;
