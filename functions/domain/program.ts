import { InvalidField } from './errors.ts';
import { parseName } from './fields.ts';
import type { Seconds } from './time.ts';

/** What a refund in full does: nothing, or it rejects the referral. */
export const REFUND_RULES = ['ignore', 'reject'] as const;
export type RefundRule = (typeof REFUND_RULES)[number];

/** A merchant's affiliate program: the tenant. Id, public key and time of creation never change. */
export interface Program {
  /** UUIDv7. */
  readonly id: string;
  readonly name: string;
  /** Not a secret: web pages contain it. */
  readonly publicKey: string;
  readonly siteUrl: string;
  /** Query parameter that carries an advocate's slug in links to the site. */
  readonly linkParameter: string;
  /** 0 to 100; `null` if no rate is set. */
  readonly commissionPercentage: number | null;
  /** Calendar months for which a conversion earns a commission; `null` if it never ends. */
  readonly commissionMonths: number | null;
  /** Days after which a click that never converted is deleted. */
  readonly attributionDays: number;
  /** Origins in lower case. Their pages may send conversions with the public key. */
  readonly allowedOrigins: readonly string[];
  /** What a refund in full that Stripe reports does. */
  readonly onRefund: RefundRule;
  readonly createdAt: Seconds;
}

const DEFAULT_LINK_PARAMETER = 'via';
const DEFAULT_ATTRIBUTION_DAYS = 90;

const MAX_URL = 2048;

/** The fields that the creator of a program chooses. `null` in the last two selects the default. */
export interface ProgramFields
  extends Pick<Program, 'name' | 'siteUrl' | 'commissionPercentage' | 'commissionMonths' | 'allowedOrigins'> {
  readonly linkParameter: string | null;
  readonly attributionDays: number | null;
  /** `ignore` if it is missing. */
  readonly onRefund?: RefundRule;
}

/** Creates a program from unchecked fields. Throws `InvalidField`. */
export function newProgram(fields: ProgramFields, id: string, now: Seconds): Program {
  return checkedProgram({ ...fields, name: parseName('name', fields.name) }, id, now);
}

/** Changes the given fields of a program. Throws `InvalidField`. */
export function changeProgram(program: Program, fields: Partial<ProgramFields>): Program {
  // A stored name is not checked again: it may be older than the rule.
  const name = fields.name === undefined ? program.name : parseName('name', fields.name);
  return checkedProgram({ ...program, ...fields, name }, program.id, program.createdAt);
}

/** Checks all fields but the name. */
function checkedProgram(fields: ProgramFields, id: string, createdAt: Seconds): Program {
  return {
    id,
    name: fields.name,
    publicKey: publicKeyOf(id),
    siteUrl: parseSiteUrl(fields.siteUrl),
    linkParameter: parseLinkParameter(fields.linkParameter ?? DEFAULT_LINK_PARAMETER),
    commissionPercentage: parseRate(fields.commissionPercentage),
    commissionMonths: parseWhole('commission_months', fields.commissionMonths, 1200),
    attributionDays: parseWhole('attribution_days', fields.attributionDays, 3650) ?? DEFAULT_ATTRIBUTION_DAYS,
    allowedOrigins: fields.allowedOrigins.map(parseOrigin),
    onRefund: fields.onRefund ?? 'ignore',
    createdAt,
  };
}

/**
 * Returns the public key of a program. It contains the program's id, so that a click reads program and advocate in one
 * request.
 */
export function publicKeyOf(programId: string): string {
  return `pk_${programId.replaceAll('-', '')}`;
}

/** The pattern of a public key; its groups are the parts of the program's id. */
export const PUBLIC_KEY_PATTERN = '^pk_([0-9a-f]{8})([0-9a-f]{4})(7[0-9a-f]{3})([89ab][0-9a-f]{3})([0-9a-f]{12})$';

const PUBLIC_KEY = new RegExp(PUBLIC_KEY_PATTERN);

/** Returns the id of a public key's program; `undefined` if the key is malformed. */
export function programIdOf(publicKey: string): string | undefined {
  return PUBLIC_KEY.exec(publicKey)?.slice(1).join('-');
}

/** True if the program allows pages of the origin to send conversions. */
export function listsOrigin(program: Program, origin: string | undefined): boolean {
  return origin !== undefined && program.allowedOrigins.includes(origin.toLowerCase());
}

/**
 * Checks a commission in percent: 0 to 100. Rounds it to 6 decimals, because DynamoDB rejects numbers that are too close
 * to 0. Throws `InvalidField`.
 */
export function parsePercentage(field: string, percentage: number): number {
  if (!(percentage >= 0 && percentage <= 100)) throw new InvalidField(field, 'must be a number from 0 to 100');
  // The sum turns -0 into 0.
  return Math.round(percentage * 1e6) / 1e6 + 0;
}

/** Checks the commission of a program or an advocate in percent, unless it is `null`. Throws `InvalidField`. */
export function parseRate(percentage: number | null): number | null {
  return percentage === null ? null : parsePercentage('commission_percentage', percentage);
}

/** Checks a whole number from 1 to `max`; `null` if it is not set. Throws `InvalidField`. */
export function parseWhole<Value extends number | null>(field: string, value: Value, max: number): Value {
  if (value !== null && !(Number.isInteger(value) && value >= 1 && value <= max)) {
    throw new InvalidField(field, `must be a whole number from 1 to ${max}`);
  }
  return value;
}

function parseSiteUrl(text: string): string {
  const url = text.length <= MAX_URL && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new InvalidField('site_url', 'must be an http or https address such as https://example.com');
  }
  return url.href;
}

function parseLinkParameter(text: string): string {
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(text)) {
    throw new InvalidField('link_parameter', 'must be 1 to 32 letters, digits, hyphens or underscores');
  }
  return text;
}

function parseOrigin(text: string): string {
  if (!URL.canParse(text) || !/^https?:/i.test(text) || new URL(text).origin !== text.toLowerCase()) {
    throw new InvalidField('allowed_origin', 'must be an origin such as https://www.example.com, without a path');
  }
  return text.toLowerCase();
}
