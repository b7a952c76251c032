import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { HttpResult } from '../../../functions/http/context.ts';
import { withHeaders } from '../pages/html.ts';
import { type Call, field, parseForm } from './call.ts';
import type { Demo } from './demo.ts';
import { CODE, type JsonResult, jsonResult } from './service.ts';

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

const TEXT = z.string().nullable();
const ADVOCATE = z.object({
  attributes: z.object({ slug: z.string(), uid: TEXT, first_name: TEXT, last_name: TEXT }),
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
  const created = await service.call('POST', '/v2/advocates', { ...fields, uid });
  if (created.statusCode === 201) return signedIn(created, shown(created, demo).slug, demo);
  if (created.headers[CODE] !== 'uid_taken') return created;
  const { data } = MANY.parse(JSON.parse((await service.call('GET', '/v2/advocates?per_page=50')).body));
  const own = data.find(({ attributes }) => attributes.uid === uid);
  return own ? signedIn(jsonResult(200, {}), own.attributes.slug, demo) : created;
}

/** Signs the advocate out: the page shows the advocate of the demo again. */
export async function signOut(): Promise<HttpResult> {
  return { statusCode: 204, headers: { 'set-cookie': `${SESSION}=; ${SESSION_ATTRIBUTES}; Max-Age=0` } };
}

/** Changes the name of the signed-in advocate. */
export async function rename(call: Call): Promise<HttpResult> {
  const slug = signedInSlug(call);
  if (slug === undefined) {
    return jsonResult(401, { error: 'You are no longer signed in as an advocate. Reload the page.' });
  }
  const { first_name, last_name } = parseForm(NAMES, call.body);
  return call.service.call('PATCH', `/v2/advocates/${slug}`, { first_name, last_name: last_name || null });
}

/**
 * Creates a short-lived token with which the page itself reads the referrals of its advocate. The program's token never
 * leaves the server.
 */
export async function createToken(call: Call): Promise<HttpResult> {
  const { service, demo } = call;
  const slug = signedInSlug(call) ?? demo.advocateSlug;
  const advocate = await service.call('GET', `/v2/advocates/${slug}`);
  if (advocate.statusCode !== 200) return advocate;
  const created = await service.call('POST', `/v2/advocates/${slug}/tokens`, { expires_in: TOKEN_LIFETIME });
  if (created.statusCode !== 201) return created;
  const { token } = TOKEN.parse(JSON.parse(created.body)).data.attributes;
  return jsonResult(201, { ...shown(advocate, demo), token });
}

/** Resolves to the signed-in advocate, or to the advocate of the demo. */
export async function shownAdvocate(call: Call): Promise<ShownAdvocate> {
  const { advocateSlug, advocateName } = call.demo;
  const slug = signedInSlug(call);
  const found = slug && (await call.service.call('GET', `/v2/advocates/${slug}`).catch(() => undefined));
  if (found && found.statusCode === 200) return shown(found, call.demo);
  const [first_name = '', ...rest] = advocateName.split(' ');
  return { slug: advocateSlug, first_name, last_name: rest.join(' '), is_own: false };
}

function shown({ body }: JsonResult, { advocateSlug }: Demo): ShownAdvocate {
  const { slug, first_name, last_name } = ONE.parse(JSON.parse(body)).data.attributes;
  return { slug, first_name: first_name ?? '', last_name: last_name ?? '', is_own: slug !== advocateSlug };
}

function signedIn(result: JsonResult, slug: string, demo: Demo): HttpResult {
  return withHeaders(result, { 'set-cookie': `${SESSION}=${slug}.${sign(slug, demo)}; ${SESSION_ATTRIBUTES}` });
}

/** Returns the slug in the session cookie. A cookie that this shop did not sign counts as none. */
function signedInSlug({ cookies = '', demo }: Call): string | undefined {
  const [, slug = '', signature = ''] = new RegExp(`(?:^|; )${SESSION}=([a-z0-9_-]+)\\.(\\w+)`).exec(cookies) ?? [];
  const [given, expected] = [Buffer.from(signature), Buffer.from(sign(slug, demo))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? slug : undefined;
}

function sign(slug: string, { programToken }: Demo): string {
  return createHmac('sha256', programToken).update(slug).digest('hex');
}
