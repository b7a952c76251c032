import { isDeepStrictEqual } from 'node:util';
import * as advocates from '../../functions/advocates/http/schema.ts';
import { ID, TIME } from '../../functions/kernel/fields/schemas.ts';
import { ERROR, PAGINATION } from '../../functions/kernel/http/schema.ts';
import * as entry from '../../functions/ledger/http/entry.ts';
import * as ledgerReads from '../../functions/ledger/http/reads/schema.ts';
import * as ledger from '../../functions/ledger/http/writes/schema.ts';
import type { Json, JsonObject } from '../../functions/openapi/operation.ts';
import * as program from '../../functions/program/http/schema.ts';
import * as referral from '../../functions/referrals/http/referral.ts';
import * as referrals from '../../functions/referrals/http/schema.ts';
import * as statistics from '../../functions/statistics/http/schema.ts';
import * as stripe from '../../functions/stripe/http/schema.ts';
import * as tracking from '../../functions/tracking/http/schema.ts';
import { ENTRY_EVENT, REFERRAL_EVENT, TEST_EVENT } from '../../functions/webhooks/docs/event-bodies.ts';
import * as webhooks from '../../functions/webhooks/http/schema.ts';

export const GATEWAY_ERROR = {
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string', description: "API Gateway's own sentence." } },
} as const;

/** The schema of a request body; an `anyOf` contains alternatives of required fields. */
interface BodySchema {
  readonly type: 'object';
  readonly required?: readonly string[];
  readonly allOf?: readonly { readonly anyOf: readonly Alternative[] }[];
  readonly properties: Readonly<Record<string, JsonObject>>;
}
/** `properties` contains keywords that apply only to this alternative. */
type Alternative = { readonly required: readonly string[]; readonly properties?: Readonly<Record<string, JsonObject>> };

const BODIES: Readonly<Record<string, BodySchema>> = {
  AdvocateTokenRequest: advocates.ADVOCATE_TOKEN_BODY,
  NewTokenRequest: program.NEW_TOKEN_BODY,
  Click: tracking.CLICK_BODY,
  ConversionV1Request: tracking.CONVERSION_V1_BODY,
  ConversionV2Request: tracking.CONVERSION_V2_BODY,
  EraseRequest: tracking.ERASE_BODY,
  LookupRequest: referrals.LOOKUP_BODY,
  PaymentRequest: ledger.PAYMENT_BODY,
  RefundRequest: ledger.REFUND_BODY,
  VoidRequest: ledger.VOID_BODY,
  AdjustmentRequest: ledger.ADJUSTMENT_BODY,
  SettlementRequest: ledger.SETTLEMENT_BODY,
  NewAdvocateRequest: advocates.NEW_ADVOCATE_BODY,
  ReassignRequest: tracking.REASSIGN_BODY,
  NewWebhookRequest: webhooks.NEW_WEBHOOK_BODY,
  ReplayRequest: webhooks.REPLAY_BODY,
  ResendRequest: webhooks.RESEND_BODY,
  StateRequest: tracking.STATE_BODY,
  StripeRequest: stripe.STRIPE_BODY,
};

/** Bodies that change a resource. They are documented as they are: absent and `null` differ. */
const CHANGES: Readonly<Record<string, JsonObject>> = {
  AdvocateChanges: advocates.ADVOCATE_CHANGES_BODY,
  ProgramChanges: program.PROGRAM_CHANGES_BODY,
  WebhookChanges: webhooks.WEBHOOK_CHANGES_BODY,
};

const RESPONSES: Readonly<Record<string, JsonObject>> = {
  Advocate: advocates.ADVOCATE_DETAILS,
  AdvocateStatistics: statistics.ADVOCATE_STATISTICS,
  AdvocateStatisticsList: statistics.ADVOCATE_STATISTICS_LIST,
  AdvocateData: advocates.ADVOCATE_DETAILS_DATA,
  AdvocateList: advocates.ADVOCATE_V2_LIST,
  ListedAdvocate: advocates.ADVOCATE_V2,
  AdvocateToken: advocates.ADVOCATE_TOKEN,
  AdvocateTokenData: advocates.ADVOCATE_TOKEN_DATA,
  AdvocateV1: advocates.ADVOCATE,
  AdvocateV1List: advocates.ADVOCATE_LIST,
  Conversion: tracking.CONVERSION,
  ConvertedReferral: tracking.REFERRAL_V1,
  Counts: referrals.COUNTS,
  CountsData: referrals.COUNTS_DATA,
  Entry: entry.ENTRY,
  EntryData: entry.ENTRY_DATA,
  EntryList: ledgerReads.ENTRY_LIST,
  Error: ERROR,
  GatewayError: GATEWAY_ERROR,
  Id: ID,
  HistoryEntry: referral.HISTORY_ENTRY,
  ListedReferral: referral.LISTED_REFERRAL,
  OwnReferralList: referrals.REFERRAL_LIST,
  Pagination: PAGINATION,
  NewProgramToken: program.NEW_PROGRAM_TOKEN,
  NewProgramTokenData: program.NEW_PROGRAM_TOKEN_DATA,
  Program: program.PROGRAM,
  ProgramData: program.PROGRAM_DATA,
  ProgramToken: program.PROGRAM_TOKEN,
  ProgramTokenList: program.PROGRAM_TOKEN_LIST,
  Reassigned: tracking.REASSIGNED,
  Referral: referral.MERCHANT_REFERRAL,
  ReferralDetails: referral.REFERRAL_DETAILS,
  ReferralDetailsData: referrals.REFERRAL_DETAILS_DATA,
  ReferralEvent: REFERRAL_EVENT,
  EntryEvent: ENTRY_EVENT,
  ReferralList: referrals.MERCHANT_REFERRAL_LIST,
  Delivery: webhooks.DELIVERY,
  DeliveryData: webhooks.DELIVERY_DATA,
  DeliveryList: webhooks.DELIVERY_LIST,
  NewWebhook: webhooks.NEW_WEBHOOK,
  NewWebhookData: webhooks.NEW_WEBHOOK_DATA,
  Replay: webhooks.REPLAY,
  ReplayData: webhooks.REPLAY_DATA,
  StripeConnection: stripe.STRIPE,
  StripeConnectionData: stripe.STRIPE_DATA,
  Statistics: statistics.STATISTICS,
  StatisticsData: statistics.STATISTICS_DATA,
  Statement: ledgerReads.STATEMENT,
  StatementData: ledgerReads.STATEMENT_DATA,
  TestEvent: TEST_EVENT,
  Webhook: webhooks.WEBHOOK,
  WebhookData: webhooks.WEBHOOK_DATA,
  WebhookList: webhooks.WEBHOOK_LIST,
  Timestamp: TIME,
  Tracked: tracking.TRACKED,
  TrackedReferral: tracking.REFERRAL_V2,
};

const components = Object.entries({ ...BODIES, ...CHANGES, ...RESPONSES });
const names = new Map<unknown, string>(components.map(([name, schema]) => [schema, name]));

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
  const schemas = { ...mapValues(BODIES, requestBody), ...CHANGES, ...RESPONSES };
  return mapValues(schemas, (schema) => mapValues(schema, referenced));
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
