import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { Pager, usePages } from '../../kit/table.tsx';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { ReferralTable } from '../referrals/columns.tsx';
import { hrefOf, useDashboard } from '../router.ts';

/** The referrals of one advocate, newest first. A row opens the referral. */
export function OwnReferrals({ slug }: { readonly slug: string }) {
  const { api } = useDashboard();
  const filters = { advocate: slug };
  const pages = usePages(
    async (cursor, signal) => {
      const query = { affiliate_slug: slug, per_page: 10, cursor };
      const { body, next } = await api.send('get', '/v2/referrals', { query, signal });
      return { rows: body.data, next };
    },
    [slug],
  );
  return (
    <WhenReady loaded={pages.list} skeleton={<Skeleton lines={5} height={3} />}>
      {({ rows, next }) => (
        <>
          {rows.length > 0 ? (
            <ReferralTable rows={rows} filters={filters} isOfOneAdvocate />
          ) : (
            <p class="empty">{ADVOCATES.noReferrals}</p>
          )}
          <div class="list-foot">
            <Pager pages={pages} next={next} />
            {rows.length > 0 && <a href={hrefOf('referrals', undefined, filters)}>{ADVOCATES.allReferrals}</a>}
          </div>
        </>
      )}
    </WhenReady>
  );
}
