import { newId } from './program.ts';

/** Part of many invalid values. No response may contain it. */
export const SECRET = 'sekret';

/** Invalid only as an international domain name, which the pattern in the OpenAPI document cannot check. */
export const LONG_DOMAIN = `a@${'b'.repeat(250)}.example`;

/*
 * Invalid values of each kind of field.
 */
export const NOT_TEXT: unknown[] = [42, 0, true, false, [], [SECRET], {}, { email: SECRET }];
export const EMAILS = [
  ...NOT_TEXT,
  SECRET,
  ' ',
  `${SECRET}@localhost`,
  `${SECRET}@shop.example\r\nBcc: x@y.example`,
  `${SECRET}\ud800@shop.example`,
  `${SECRET}\u0000@shop.example`,
  `${SECRET} x@shop.example`,
  `${SECRET}@sh\ufffdp.example`,
  `${'a'.repeat(65)}@shop.example`,
  LONG_DOMAIN,
];
export const SUB_IDS = [
  ...NOT_TEXT,
  'x'.repeat(129),
  `${SECRET}\u0000`,
  `${SECRET}\n`,
  `${SECRET}\t`,
  `${SECRET}\u007f`,
  `${SECRET}\u0085`,
  `\u200b${SECRET}`,
  `\u202e${SECRET}\u202c`,
  `${SECRET}\u2069`,
  `${SECRET}\ud800`,
  `\udc00${SECRET}`,
];
export const IDS = [...SUB_IDS, `${SECRET}\ufffd`];
export const NAMES = [
  ...NOT_TEXT,
  'x'.repeat(201),
  '😀'.repeat(201),
  `${SECRET}\u0000`,
  `${SECRET}\r\n`,
  `${SECRET}\u2028`,
  `${SECRET}\ud800`,
  `\u200b${SECRET}`,
  `${SECRET}\u200f`,
  `\u202e${SECRET}\u202c`,
  `${SECRET}\u2069`,
  `${SECRET}\ufffd`,
];
const NOT_NUMBERS: unknown[] = ['25', SECRET, true, false, [], [SECRET], {}];
export const RATES = [...NOT_NUMBERS, -1, -Number.EPSILON, 100.000001, 101, Number.MAX_VALUE];
export const MONTHS = [...NOT_NUMBERS, 0, -1, 1.5, 1201, Number.MAX_VALUE];
/** Lists of commission rules that are invalid as a whole: the errors of a rule begin with its number. */
export const RULES = [42, true, SECRET, {}, [], new Array(11).fill({ percentage: 1 })];
export const LIFETIMES = [...NOT_NUMBERS, '3600', 0, -3600, 59, 59.9, 60.5, 31_536_001, 1e21];
export const FLAGS = [0, 1, 'true', 'false', 'yes', SECRET, [], {}];
const REFERRAL_IDS = [
  ...NOT_TEXT,
  SECRET,
  newId().toUpperCase(),
  `${newId()}\n`,
  ` ${newId()}`,
  newId().replaceAll('-', ''),
  '00000000-0000-4000-8000-000000000000',
];
export const SLUGS = [
  ...NOT_TEXT,
  'x'.repeat(65),
  `${SECRET} x`,
  `${SECRET}/x`,
  `${SECRET}\n`,
  'é',
  '\u212a',
  `a.${newId()}`,
];
export const GR_IDS = [
  ...NOT_TEXT,
  SECRET,
  '-',
  newId(),
  `${SECRET}.${newId().toUpperCase()}`,
  `${SECRET}.${newId()}\n`,
  ` ${SECRET}.${newId()}`,
  `${SECRET} x.${newId()}`,
  `.${newId()}`,
  `_${newId()}`,
  `${SECRET}-${newId()}`,
  `${SECRET}:${newId()}`,
  `${'x'.repeat(65)}.${newId()}`,
  `${'x'.repeat(65)}_${newId()}`,
  `${SECRET}.00000000-0000-4000-8000-000000000000`,
];
export const STATES = [...NOT_TEXT, SECRET, 'clicked', 'new', 'Paid', 'PAID', 'paid ', 'paid\n', 'paid,churned'];
export const PUBLIC_KEYS = [
  ...NOT_TEXT,
  SECRET,
  'x',
  'pk_',
  'pk_1',
  'pk_019A2B3C4D5E7F608A1B2C3D4E5F6071',
  `pk_${newId()}`,
];

/** The invalid values of the fields of a body. */
export const CONVERSION_V2 = {
  email: EMAILS,
  uid: IDS,
  sub_id: SUB_IDS,
  affiliate_slug: SLUGS,
  gr_id: GR_IDS,
  code: NOT_TEXT,
};
export const REFERENCE = { email: EMAILS, uid: IDS, id: REFERRAL_IDS };
export const ADVOCATE = { first_name: NAMES, last_name: NAMES, uid: IDS, company_id: IDS, company: NAMES };
/** In a change, an empty text is invalid rather than absent. */
export const CHANGES = Object.fromEntries(Object.entries(ADVOCATE).map(([name, values]) => [name, [...values, '']]));
