import { Card } from '../../kit/card.tsx';
import { number, text } from '../../kit/columns.ts';
import { useLoaded } from '../../kit/loaded.ts';
import { Table } from '../../kit/table.tsx';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/home.ts';
import * as REFERRALS from '../../words/portal/referrals.ts';
import { LabelTable } from '../links/label-table.tsx';
import { customerOf, earnedOf, signedUpOf, stateOf } from '../referrals/cells.tsx';
import { hrefOf, useRoute } from '../router.ts';
import { api } from '../service.ts';

const ROWS = 4;

/** Which of my links works? */
export function BestLinks() {
  const { filters } = useRoute();
  return (
    <Card title={WORDS.bestLinks} beside={<a href={hrefOf('links', filters)}>{WORDS.allLinks}</a>}>
      <LabelTable
        name={WORDS.bestLinks}
        choose={(rows) => rows.filter(({ label }) => label !== undefined).slice(0, ROWS)}
        lines={ROWS}
      />
    </Card>
  );
}

const COLUMNS = [
  text(REFERRALS.customer, customerOf, 'name'),
  text(COMMON.state, stateOf, 'below'),
  text(REFERRALS.signedUp, signedUpOf),
  number(REFERRALS.earned, earnedOf, 'key'),
];

export function LatestReferrals() {
  const [referrals] = useLoaded(async (signal) => {
    const query = { per_page: ROWS };
    return (await api.send('get', '/v2/affiliate/referrals', { query, signal })).body.data;
  }, []);
  return (
    <Card title={WORDS.latest} beside={<a href={hrefOf('referrals')}>{WORDS.allReferrals}</a>}>
      <WhenReady loaded={referrals} skeleton={<Skeleton lines={ROWS} height={2.5} />}>
        {(rows) => (
          <Table name={WORDS.latest} columns={COLUMNS} rows={rows} keyOf={({ id }) => id} empty={WORDS.noReferrals} />
        )}
      </WhenReady>
    </Card>
  );
}
