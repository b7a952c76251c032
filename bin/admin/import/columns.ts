import { ADVOCATE_FIELDS } from '../../../functions/domain/advocate-fields.ts';
import { namesIn } from '../../../functions/domain/field-list.ts';
import { REFERRAL_COLUMNS as EXPORTED } from '../referral/export.ts';

/** The columns of a file of advocates. */
export const ADVOCATE_COLUMNS = namesIn(ADVOCATE_FIELDS, 'file');

/** The columns that identify the advocate of a referral. */
export const REFERENCE_COLUMNS = ['advocate_slug', 'advocate_email', 'advocate_uid'] as const;

/** The columns of an export, other ways to identify an advocate, and what the table contains only as a hash. */
export const REFERRAL_COLUMNS = [...EXPORTED, 'advocate_email', 'advocate_uid', 'stripe_customer'] as const;
