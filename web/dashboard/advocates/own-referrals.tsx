import { Paged, Pager } from '../../kit/list.tsx';
import { pageOf, usePages } from '../../kit/pages.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { ReferralTable } from '../referrals/columns.tsx';
import { hrefOf } from '../router.ts';
import { fourApi } from './four-api.ts';

/** The referrals of one advocate, newest first. A row opens the referral. */
export function OwnReferrals({ slug }: { readonly slug: string }) {
  const filters = { advocate: slug };
  const pages = usePages(
    (cursor, signal) => {
      const query = { affiliate_slug: slug, per_page: 10, cursor };
      return pageOf(fourApi.send('get', '/v2/referrals', { query, signal }));
    },
    [slug],
  );
  const { rows } = pages;
  return (
    <Paged pages={pages} lines={5}>
      {rows.length > 0 ? (
        <ReferralTable rows={rows} filters={filters} isOfOneAdvocate />
      ) : (
        <p class="empty">{ADVOCATES.noReferrals}</p>
      )}
      <div class="list-foot">
        <Pager pages={pages} />
        {rows.length > 0 && <a href={hrefOf('referrals', undefined, filters)}>{ADVOCATES.allReferrals}</a>}
      </div>
    </Paged>
  );
}
