// `npm run check` compiles this file. Nothing runs it.
import type { IncomingMessage } from 'node:http';
import { type components, type ReferralTracking, type Row, renewCookie } from '../../client/src/client.ts';

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;
/** Compiles if the types are the same. */
const same = <One, Other>(_same: Same<One, Other>): void => undefined;

export async function calls({ GET, POST, PATCH, pages }: ReferralTracking) {
  same<Row<'/v1/advocates'>, components['schemas']['AdvocateV1']>(true);
  same<Row<'/v2/advocates'>, components['schemas']['ListedAdvocate']>(true);
  for await (const { attributes } of pages('/v2/advocates', { query: { per_page: 50 } })) {
    same<typeof attributes.active, boolean>(true);
  }
  for await (const { attributes } of pages('/v2/referrals', { query: { affiliate_slug: 'jane-doe' } })) {
    same<typeof attributes.affiliate_slug, string>(true);
  }
  for await (const { attributes } of pages('/v1/affiliate/referrals')) {
    same<typeof attributes.commission_percentage, number | null>(true);
  }
  const { data: state, error } = await POST('/v2/tracking/state', { body: { uid: '1', state: 'paid' } });
  same<typeof state.data.attributes.state_set_at, number>(true);
  // Errors are thrown.
  same<typeof error, undefined>(true);
  const { data: click } = await POST('/v2/tracking/click', { body: { pk: 'pk_1', gr_id: 'jane-doe' } });
  same<typeof click, undefined>(true);

  const path = { slug: 'jane-doe' };
  await PATCH('/v2/advocates/{slug}', { params: { path }, body: { uid: null, active: false } });
  const { data: token } = await POST('/v2/advocates/{slug}/tokens', { params: { path } });
  same<typeof token.data.attributes.expires_at, number>(true);

  // @ts-expect-error: the path does not exist.
  await GET('/v1/advocate');
  // @ts-expect-error: the script is for pages.
  await GET('/gr.js');
  // @ts-expect-error: the page is for browsers.
  await GET('/portal');
  // @ts-expect-error: the path has no PATCH.
  await PATCH('/v1/advocates');
  // @ts-expect-error: the path is not a list.
  pages('/v2/tracking/state');
  // @ts-expect-error: the field does not exist.
  await POST('/v2/tracking/state', { body: { uid: '1', state: 'paid', slug: 'jane-doe' } });
  // @ts-expect-error: the parameter does not exist.
  await GET('/v1/affiliate/referrals', { params: { query: { state_eq: 'paid', state: 'paid' } } });
  // @ts-expect-error: advocates have no state.
  pages('/v2/advocates', { query: { state_eq: 'paid' } });
  // @ts-expect-error: a required parameter is missing.
  await GET('/v2/referrals/counts');
  // @ts-expect-error: the slug of the path is missing.
  await GET('/v2/advocates/{slug}');
  // @ts-expect-error: a slug cannot be changed.
  await PATCH('/v2/advocates/{slug}', { params: { path }, body: { slug: 'jane' } });
  // @ts-expect-error: the option is called params.
  await GET('/v1/advocates', { query: { per_page: 50 } });
}

export function renewals(node: IncomingMessage, { headers }: Request) {
  same<ReturnType<typeof renewCookie>, string | undefined>(true);
  renewCookie(node.headers, { domain: 'shop.example', days: 30 });
  renewCookie(headers);
  renewCookie({ cookie: 'gr_id=' });
  // @ts-expect-error: the headers are missing.
  renewCookie();
}
