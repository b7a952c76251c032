import { InvalidField } from './errors.ts';
import { MAX_NAME, parseText } from './fields.ts';
import type { Seconds } from './time.ts';

/** A merchant's affiliate program: the tenant. Nothing of it changes after it was created. */
export interface Program {
  /** UUIDv7. */
  readonly id: string;
  readonly name: string;
  /** Publishable: it stands in web pages. */
  readonly publicKey: string;
  readonly siteUrl: string;
  /** Query parameter that carries an advocate's slug in links to the site. */
  readonly linkParameter: string;
  /** 0 to 100; `null` where nobody set a rate. */
  readonly commissionPercentage: number | null;
  /** Calendar months for which a referral earns; `null`: without end. */
  readonly commissionMonths: number | null;
  /** Days after which a click that never converted is deleted. */
  readonly attributionDays: number;
  /** Origins whose pages may send conversions with the public key; empty: none. */
  readonly allowedOrigins: readonly string[];
  readonly createdAt: Seconds;
}

const DEFAULT_LINK_PARAMETER = 'via';
const DEFAULT_ATTRIBUTION_DAYS = 90;

const MAX_URL = 2048;

/** What an operator says of a new program; `null` where nothing was said. */
export interface ProgramFields {
  readonly name: string;
  readonly siteUrl: string;
  readonly linkParameter: string | null;
  readonly commissionPercentage: number | null;
  readonly commissionMonths: number | null;
  readonly attributionDays: number | null;
  readonly allowedOrigins: readonly string[];
}

/** Makes a program of checked fields. Throws `InvalidField` naming the field as the command line calls it. */
export function newProgram(fields: ProgramFields, id: string, now: Seconds): Program {
  return {
    id,
    name: parseText('name', fields.name, MAX_NAME),
    publicKey: publicKeyOf(id),
    siteUrl: parseSiteUrl(fields.siteUrl),
    linkParameter: parseLinkParameter(fields.linkParameter ?? DEFAULT_LINK_PARAMETER),
    commissionPercentage: optionalPercentage(fields.commissionPercentage),
    commissionMonths: parseWhole('commission-months', fields.commissionMonths, 1200),
    attributionDays: parseWhole('attribution-days', fields.attributionDays, 3650) ?? DEFAULT_ATTRIBUTION_DAYS,
    allowedOrigins: fields.allowedOrigins.map(parseOrigin),
    createdAt: now,
  };
}

/**
 * The public key of a program. It spells the program's id, so that a click, which has no token, finds program and
 * advocate in one read instead of one after the other.
 */
export function publicKeyOf(programId: string): string {
  return `pk_${programId.replaceAll('-', '')}`;
}

/** The form of a public key; its groups are the parts of the program's id. */
export const PUBLIC_KEY_PATTERN = '^pk_([0-9a-f]{8})([0-9a-f]{4})(7[0-9a-f]{3})([89ab][0-9a-f]{3})([0-9a-f]{12})$';

const PUBLIC_KEY = new RegExp(PUBLIC_KEY_PATTERN);

/** The id of the program that a public key spells; `undefined` for what is no public key. */
export function programIdOf(publicKey: string): string | undefined {
  return PUBLIC_KEY.exec(publicKey)?.slice(1).join('-');
}

/** True where the program lists the origin of a page, so that its pages may send conversions. */
export function listsOrigin(program: Program, origin: string | undefined): boolean {
  return origin !== undefined && program.allowedOrigins.includes(origin.toLowerCase());
}

/** Checks a commission in percent: 0 to 100. Throws `InvalidField` naming `field`. */
export function parsePercentage(field: string, percentage: number): number {
  if (!(percentage >= 0 && percentage <= 100)) throw new InvalidField(field, 'must be a number from 0 to 100');
  return percentage;
}

/** The same for what an operator may leave out. */
export function optionalPercentage(percentage: number | null): number | null {
  return percentage === null ? null : parsePercentage('commission-percentage', percentage);
}

function parseWhole(field: string, value: number | null, max: number): number | null {
  if (value !== null && !(Number.isInteger(value) && value >= 1 && value <= max)) {
    throw new InvalidField(field, `must be a whole number from 1 to ${max}`);
  }
  return value;
}

function parseSiteUrl(text: string): string {
  const url = text.length <= MAX_URL && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new InvalidField('site-url', 'must be an http or https address such as https://example.com');
  }
  return url.href;
}

function parseLinkParameter(text: string): string {
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(text)) {
    throw new InvalidField('link-parameter', 'must be 1 to 32 letters, digits, hyphens or underscores');
  }
  return text;
}

function parseOrigin(text: string): string {
  if (!URL.canParse(text) || !/^https?:/i.test(text) || new URL(text).origin !== text.toLowerCase()) {
    throw new InvalidField('allowed-origin', 'must be an origin such as https://www.example.com, without a path');
  }
  return text.toLowerCase();
}
