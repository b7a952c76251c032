import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AdvocateTokenResource } from '../../../functions/advocates/http/schema.ts';
import type { HttpResult } from '../../../functions/kernel/http/context.ts';
import { withHeaders } from '../pages/html.ts';
import type { Demo } from './demo.ts';
import { type Call, CODE, dataOf, field, jsonResult, parseForm, type Service, TOKEN_LIFETIME } from './service.ts';

interface ShownAdvocate {
  readonly slug: string;
  readonly first_name: string;
  readonly last_name: string;
  /** True if the visitor is this advocate; false for the advocate of the demo. */
  readonly is_own: boolean;
  readonly token: string;
}

const SESSION = 'advocate';
const SESSION_ATTRIBUTES = 'Path=/demo; HttpOnly; SameSite=Lax';

const JOIN = { first_name: field(1), last_name: field(0), email: field(1), attempt: field(1) };

/** What the shop reads of an advocate. */
interface Advocate {
  readonly attributes: Record<'uid' | 'first_name' | 'last_name', string | null> & { readonly slug: string };
}

/** Creates an advocate and signs it in. The page's attempt is its `uid`: a repetition creates no second advocate. */
export async function join({ body, service, demo }: Call): Promise<HttpResult> {
  const { attempt: uid, ...fields } = parseForm(JOIN, body);
  const created = await service.call('POST', '/v2/advocates', { ...fields, uid });
  if (created.statusCode === 201) return signedIn(service, dataOf<Advocate>(created), demo);
  if (created.headers[CODE] !== 'uid_taken') return created;
  const advocates = dataOf<Advocate[]>(await service.call('GET', '/v2/advocates?per_page=50'));
  const own = advocates.find(({ attributes }) => attributes.uid === uid);
  return own ? signedIn(service, own, demo) : created;
}

export async function signOut(): Promise<HttpResult> {
  return { statusCode: 204, headers: { 'set-cookie': `${SESSION}=; ${SESSION_ATTRIBUTES}; Max-Age=0` } };
}

/** Resolves to the signed-in advocate, or to the advocate of the demo. */
export async function shownAdvocate(call: Call): Promise<ShownAdvocate> {
  const { advocateSlug, advocateName, affiliateToken } = call.demo;
  const slug = signedInSlug(call);
  const own = slug === undefined ? undefined : await ownAdvocate(call.service, slug).catch(() => undefined);
  const [first_name = '', ...rest] = advocateName.split(' ');
  const last_name = rest.join(' ');
  return own ?? { slug: advocateSlug, first_name, last_name, is_own: false, token: affiliateToken };
}

async function ownAdvocate(service: Service, slug: string): Promise<ShownAdvocate> {
  return withToken(service, dataOf<Advocate>(await service.call('GET', `/v2/advocates/${slug}`)));
}

/** Creates the token with which the advocate's page reads. The program's token can do much more. */
async function withToken(service: Service, { attributes }: Advocate): Promise<ShownAdvocate> {
  const { slug, first_name, last_name } = attributes;
  const created = await service.call('POST', `/v2/advocates/${slug}/tokens`, { expires_in: TOKEN_LIFETIME });
  const { token } = dataOf<AdvocateTokenResource>(created).attributes;
  return { slug, first_name: first_name ?? '', last_name: last_name ?? '', is_own: true, token };
}

async function signedIn(service: Service, advocate: Advocate, demo: Demo): Promise<HttpResult> {
  const { slug } = advocate.attributes;
  const result = jsonResult(201, await withToken(service, advocate));
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
