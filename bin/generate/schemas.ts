import { isDeepStrictEqual } from 'node:util';
import * as advocates from '../../functions/advocates/http/schema.ts';
import * as codes from '../../functions/codes/http/schema.ts';
import * as explain from '../../functions/explain/http/schema.ts';
import { ID, TIME } from '../../functions/kernel/fields/schemas.ts';
import { ERROR, PAGINATION } from '../../functions/kernel/http/schema.ts';
import * as entry from '../../functions/ledger/http/entry.ts';
import * as ledgerPayouts from '../../functions/ledger/http/payouts/schema.ts';
import * as ledgerReads from '../../functions/ledger/http/reads/schema.ts';
import * as ledger from '../../functions/ledger/http/writes/schema.ts';
import type { Json, JsonObject } from '../../functions/openapi/operation.ts';
import * as brand from '../../functions/program/http/brand/schema.ts';
import * as program from '../../functions/program/http/schema.ts';
import * as referral from '../../functions/referrals/http/referral.ts';
import * as referrals from '../../functions/referrals/http/schema.ts';
import * as statistics from '../../functions/statistics/http/schema.ts';
import * as stripe from '../../functions/stripe/http/schema.ts';
import * as terms from '../../functions/terms/http/schema.ts';
import * as tracking from '../../functions/tracking/http/schema.ts';
import * as events from '../../functions/webhooks/docs/event-bodies.ts';
import * as webhooks from '../../functions/webhooks/http/schema.ts';

export const GATEWAY_ERROR = {
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string', description: "API Gateway's own sentence." } },
} as const;

/** The schema of a request body; an `anyOf` contains alternatives of required fields. */
type BodySchema = {
  readonly type: 'object';
  readonly required?: readonly string[];
  readonly allOf?: readonly { readonly anyOf: readonly Alternative[] }[];
  readonly properties: Readonly<Record<string, JsonObject>>;
};
/** `properties` contains keywords that apply only to this alternative. */
type Alternative = { readonly required: readonly string[]; readonly properties?: Readonly<Record<string, JsonObject>> };

/** The components whose names differ from the names of their constants; `null` for schemas that are not components. */
const NAMES: Readonly<Record<string, string | null>> = {
  ADVOCATE: 'AdvocateV1',
  ADVOCATE_DETAILS: 'Advocate',
  ADVOCATE_DETAILS_DATA: 'AdvocateData',
  ADVOCATE_LIST: 'AdvocateV1List',
  ADVOCATE_V2: 'ListedAdvocate',
  ADVOCATE_V2_LIST: 'AdvocateList',
  ADVOCATES_DATA: null,
  AFFILIATE_DATA: null,
  CLICK_BODY: 'Click',
  CODE: 'PromotionCode',
  CODE_DATA: 'PromotionCodeData',
  CODE_LIST: 'PromotionCodeList',
  ENTRY_ID: null,
  EXPIRES_AT: null,
  MERCHANT_REFERRAL: 'Referral',
  MERCHANT_REFERRAL_LIST: 'ReferralList',
  REFERRAL_LIST: 'OwnReferralList',
  RULES: 'CommissionRules',
  RULES_DATA: 'CommissionRulesData',
  REFERRAL_V1: 'ConvertedReferral',
  REFERRAL_V2: 'TrackedReferral',
  STATEMENTS_DATA: null,
  STRIPE: 'StripeConnection',
  STRIPE_DATA: 'StripeConnectionData',
  TIME: 'Timestamp',
};

/** The name of the component of a constant: `STATE_BODY` is `StateRequest`. Parameters of queries are not components. */
function nameOf(constant: string): string | null {
  const name = NAMES[constant];
  if (name !== undefined || constant.endsWith('_QUERY')) return name ?? null;
  const words = constant.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return words.replace(/ChangesBody$/, 'Changes').replace(/Body$/, 'Request');
}

const isSchema = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && ('type' in value || 'anyOf' in value);
/** Bodies that change a resource are documented as they are: absent and `null` differ. */
const isBody = (constant: string, _: JsonObject): _ is BodySchema => /(?<!_CHANGES)_BODY$/.test(constant);

const components = [
  { ID, TIME, ERROR, PAGINATION, GATEWAY_ERROR },
  ...[program, brand, advocates, codes, terms, events, entry, referral, stripe, webhooks],
  ...[explain, ledgerReads, ledgerPayouts, referrals, statistics, ledger, tracking],
]
  .flatMap((module) => Object.entries<unknown>(module))
  .flatMap(([constant, schema]) => {
    const name = isSchema(schema) ? nameOf(constant) : null;
    if (!isSchema(schema) || name === null) return [];
    return [{ name, schema, shown: isBody(constant, schema) ? requestBody(schema) : schema }];
  })
  .sort((one, other) => (one.name < other.name ? -1 : 1));
const names = new Map<unknown, string>(components.map(({ name, schema }) => [schema, name]));

/** Replaces schemas that are components by references to them. */
export function referenced(schema: Json): Json {
  const name = names.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  if (isJsonObject(schema)) return mapValues(schema, referenced);
  return Array.isArray(schema) ? schema.map(referenced) : schema;
}

/** Parts of the document that operations share, by kind and name. */
export type Components = Readonly<Record<'examples' | 'parameters' | 'responses', Record<string, JsonObject>>>;

/** Makes a part a component and returns a reference, or returns the part if a different component has the name. */
export function shared(components: Components, kind: keyof Components, name: string, part: JsonObject): JsonObject {
  components[kind][name] ??= part;
  return isDeepStrictEqual(components[kind][name], part) ? { $ref: `#/components/${kind}/${name}` } : part;
}

export function schemaComponents(): JsonObject {
  return Object.fromEntries(components.map(({ name, shown }) => [name, mapValues(shown, referenced)]));
}

/** The schema of a body as clients send it: optional fields may be `null` or `""`, which count as absent. */
function requestBody({ required = [], allOf = [], properties, ...schema }: BodySchema): JsonObject {
  const choices = allOf.map(({ anyOf }) => ({ anyOf: anyOf.map(present) }));
  return {
    ...schema,
    ...(required.length > 0 && { required }),
    ...(choices.length > 0 && { allOf: choices }),
    properties: mapValues(properties, (field, name) => (required.includes(name) ? field : optional(field))),
  };
}

function present({ required, properties = {} }: Alternative): JsonObject {
  const fields = required.map((name) => [name, { type: 'string', minLength: 1, ...properties[name] }]);
  // The type is repeated, because client generators ignore the enclosing schema.
  return { type: 'object', required, properties: Object.fromEntries(fields) };
}

/** Without its default, which makes client generators require the field. */
function optional({ type = 'string', minLength: _min, default: _default, pattern, ...field }: JsonObject): JsonObject {
  const rejectsEmpty = typeof pattern === 'string' && !new RegExp(pattern, 'u').test('');
  return {
    ...field,
    type: [type, 'null'],
    ...(pattern !== undefined && { pattern: rejectsEmpty ? `^$|${pattern}` : pattern }),
  };
}

export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function mapValues<Value, Result>(
  object: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}
