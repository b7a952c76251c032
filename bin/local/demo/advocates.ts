import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { HttpResult } from '../../../functions/http/context.ts';
import { withHeaders } from '../pages/files.ts';
import type { Call, Visit } from './call.ts';
import type { Demo } from './demo.ts';
import { field, parseForm } from './forms.ts';
import { errorResult, jsonResult, type ServiceResult } from './service.ts';

/** The advocate whose dashboard the page shows. */
interface ShownAdvocate {
  readonly slug: string;
  readonly first_name: string;
  readonly last_name: string;
  /** True if the visitor is this advocate; false for the advocate of the demo. */
  readonly is_own: boolean;
}

/** How long the page may use the token of its advocate, in seconds. */
const TOKEN_LIFETIME = 900;
/** Name of the cookie with the slug of the signed-in advocate. */
const SESSION = 'advocate';
const SESSION_ATTRIBUTES = 'Path=/demo; HttpOnly; SameSite=Lax';

const NAMES = z.object({ first_name: field(1), last_name: field(0) });
const JOIN = NAMES.extend({ email: field(1), attempt: field(1) });

const NAME = z
  .string()
  .nullable()
  .transform((name) => name ?? '');
const ADVOCATE = z.object({
  attributes: z.object({ slug: z.string(), uid: z.string().nullable(), first_name: NAME, last_name: NAME }),
});
const ONE = z.object({ data: ADVOCATE });
const MANY = z.object({ data: z.array(ADVOCATE) });
const TOKEN = z.object({ data: z.object({ attributes: z.object({ token: z.string() }) }) });

/**
 * Creates an advocate and signs it in. The page's attempt is the advocate's `uid`, so that a repeated attempt whose first
 * response was lost creates no second advocate.
 */
export async function join({ body, service, demo }: Call): Promise<HttpResult> {
  const { attempt: uid, ...fields } = parseForm(JOIN, body);
  const created = await service.post('/v2/advocates', { ...fields, uid });
  if (created.statusCode === 201) return signedIn(created, slugOf(created.body), demo);
  if (created.headers['x-error-code'] !== 'uid_taken') return created;
  const { data } = MANY.parse(JSON.parse((await service.get('/v2/advocates?per_page=50')).body));
  const own = data.find(({ attributes }) => attributes.uid === uid);
  return own ? signedIn(jsonResult(200, '{}'), own.attributes.slug, demo) : created;
}

/** Signs the advocate out: the page shows the advocate of the demo again. */
export async function signOut(): Promise<HttpResult> {
  return { statusCode: 204, headers: { 'set-cookie': `${SESSION}=; ${SESSION_ATTRIBUTES}; Max-Age=0` } };
}

/** Changes the name of the signed-in advocate. */
export async function rename({ body, cookies, service, demo }: Call): Promise<HttpResult> {
  const slug = signedInSlug(cookies, demo);
  if (slug === undefined) return errorResult(401, 'You are no longer signed in as an advocate. Reload the page.');
  const { first_name, last_name } = parseForm(NAMES, body);
  return service.patch(`/v2/advocates/${slug}`, { first_name, last_name: last_name || null });
}

/**
 * Creates a short-lived token with which the page itself reads the referrals of its advocate. The program's token never
 * leaves the server.
 */
export async function createToken({ cookies, service, demo }: Call): Promise<HttpResult> {
  const slug = signedInSlug(cookies, demo) ?? demo.advocateSlug;
  const advocate = await service.get(`/v2/advocates/${slug}`);
  if (advocate.statusCode !== 200) return advocate;
  const created = await service.post(`/v2/advocates/${slug}/tokens`, { expires_in: TOKEN_LIFETIME });
  if (created.statusCode !== 201) return created;
  const { token } = TOKEN.parse(JSON.parse(created.body)).data.attributes;
  return jsonResult(201, JSON.stringify({ ...shown(advocate, demo), token }));
}

/** Resolves to the signed-in advocate, or to the advocate of the demo. */
export async function shownAdvocate({ cookies, service, demo }: Visit): Promise<ShownAdvocate> {
  const [first_name = '', ...rest] = demo.advocateName.split(' ');
  const ofDemo = { slug: demo.advocateSlug, first_name, last_name: rest.join(' '), is_own: false };
  const slug = signedInSlug(cookies, demo);
  if (slug === undefined) return ofDemo;
  const found = await service.get(`/v2/advocates/${slug}`).catch(() => undefined);
  return found?.statusCode === 200 ? shown(found, demo) : ofDemo;
}

function shown({ body }: ServiceResult, { advocateSlug }: Demo): ShownAdvocate {
  const { slug, first_name, last_name } = ONE.parse(JSON.parse(body)).data.attributes;
  return { slug, first_name, last_name, is_own: slug !== advocateSlug };
}

function slugOf(body: string): string {
  return ONE.parse(JSON.parse(body)).data.attributes.slug;
}

function signedIn(result: ServiceResult, slug: string, demo: Demo): HttpResult {
  return withHeaders(result, { 'set-cookie': `${SESSION}=${slug}.${sign(slug, demo)}; ${SESSION_ATTRIBUTES}` });
}

/** Returns the slug in the session cookie. A cookie that this shop did not sign counts as none. */
function signedInSlug(cookies = '', demo: Demo): string | undefined {
  const [, slug = '', signature = ''] = new RegExp(`(?:^|; )${SESSION}=([a-z0-9_-]+)\\.(\\w+)`).exec(cookies) ?? [];
  const [given, expected] = [Buffer.from(signature), Buffer.from(sign(slug, demo))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? slug : undefined;
}

function sign(slug: string, { programToken }: Demo): string {
  return createHmac('sha256', programToken).update(slug).digest('hex');
}
