import { ADVOCATE, ADVOCATE_LIST } from '../../functions/advocates/schema.ts';
import { ERROR, ID, PAGINATION, TIME } from '../../functions/http/schema.ts';
import { LISTED_REFERRAL, REFERRAL_LIST } from '../../functions/referrals/schema.ts';
import {
  CLICK_BODY,
  CONVERSION_V1_BODY,
  CONVERSION_V2_BODY,
  CONVERTED_REFERRAL,
  STATE_BODY,
  TRACKED_REFERRAL,
} from '../../functions/tracking/schema.ts';
import { isJsonObject, type Json, type JsonObject, mapValues } from './json.ts';
import { requestBody } from './request-body.ts';

/** A response with one resource. */
function oneOf(resource: JsonObject): JsonObject {
  return { type: 'object', required: ['data'], additionalProperties: false, properties: { data: resource } };
}

/** The body of API Gateway's own responses. */
export const GATEWAY_ERROR = {
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string', description: "API Gateway's own sentence." } },
} as const;

export const CONVERSION = oneOf(CONVERTED_REFERRAL);
export const TRACKED = oneOf(TRACKED_REFERRAL);

export const CLICK_REQUEST = requestBody(CLICK_BODY);
export const CONVERSION_V1_REQUEST = requestBody(CONVERSION_V1_BODY);
export const CONVERSION_V2_REQUEST = requestBody(CONVERSION_V2_BODY);
export const STATE_REQUEST = requestBody(STATE_BODY);

/** The schemas that have a name in the document. Each of these objects is written as a reference wherever it occurs. */
const NAMED: Record<string, JsonObject> = {
  Advocate: ADVOCATE,
  AdvocateList: ADVOCATE_LIST,
  Click: CLICK_REQUEST,
  Conversion: CONVERSION,
  ConversionV1Request: CONVERSION_V1_REQUEST,
  ConversionV2Request: CONVERSION_V2_REQUEST,
  ConvertedReferral: CONVERTED_REFERRAL,
  Error: ERROR,
  GatewayError: GATEWAY_ERROR,
  Id: ID,
  ListedReferral: LISTED_REFERRAL,
  Pagination: PAGINATION,
  ReferralList: REFERRAL_LIST,
  StateRequest: STATE_REQUEST,
  Timestamp: TIME,
  Tracked: TRACKED,
  TrackedReferral: TRACKED_REFERRAL,
};

const names = new Map<Json, string>(Object.entries(NAMED).map(([name, schema]) => [schema, name]));

/** The schema as it appears in the document: a reference if it has a name, else the schema itself. */
export function written(schema: Json): Json {
  const name = names.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  if (isJsonObject(schema)) return mapValues(schema, written);
  return Array.isArray(schema) ? schema.map(written) : schema;
}

/** `components.schemas` of the document. */
export function schemaComponents(): JsonObject {
  return mapValues(NAMED, (schema) => mapValues(schema, written));
}
