import { Card } from '../../kit/controls.tsx';
import { formatNumber } from '../../kit/format.ts';
import { periodOf } from '../../kit/period.ts';
import { Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as WORDS from '../../words/portal/home.ts';
import * as LINKS from '../../words/portal/links.ts';
import * as REFERRALS from '../../words/portal/referrals.ts';
import { type LabelRow, readLabels } from '../labels.ts';
import { customerOf, earnedOf, type Referral, signedUpOf, stateOf } from '../referrals/cells.tsx';
import { hrefOf, useRoute } from '../router.ts';
import { api } from '../service.ts';

const ROWS = 4;
const skeleton = <Skeleton lines={ROWS} height={2.5} />;

const LINK_COLUMNS: readonly Column<LabelRow>[] = [
  { id: 'label', name: LINKS.label, cell: ({ label }) => <bdi>{label ?? LINKS.mainLink}</bdi>, onPhone: 'name' },
  { id: 'clicks', name: COMMON.clicks, cell: ({ clicks }) => formatNumber(clicks), isNumber: true },
  {
    id: 'sign-ups',
    name: COMMON.signUps,
    cell: ({ signUps }) => formatNumber(signUps),
    isNumber: true,
    onPhone: 'key',
  },
  { id: 'paying', name: COMMON.paying, cell: ({ paying }) => formatNumber(paying), isNumber: true },
];

/** Which of my links works? */
export function BestLinks() {
  const { filters } = useRoute();
  const period = periodOf(filters, Date.now());
  const [labels] = useLoaded((signal) => readLabels(period, signal), [period], []);
  return (
    <Card title={WORDS.bestLinks} beside={<a href={hrefOf('links', filters)}>{WORDS.allLinks}</a>}>
      <WhenReady loaded={labels} skeleton={skeleton}>
        {(rows) => (
          <Table
            name={WORDS.bestLinks}
            columns={LINK_COLUMNS}
            rows={rows.filter(({ label }) => label !== undefined).slice(0, ROWS)}
            keyOf={({ label }) => label ?? ''}
            empty={<p class="empty">{LINKS.labelHint}</p>}
          />
        )}
      </WhenReady>
    </Card>
  );
}

const REFERRAL_COLUMNS: readonly Column<Referral>[] = [
  { id: 'customer', name: REFERRALS.customer, cell: customerOf, onPhone: 'name' },
  { id: 'state', name: REFERRALS.state, cell: stateOf, onPhone: 'below' },
  { id: 'date', name: REFERRALS.signedUp, cell: signedUpOf },
  { id: 'earned', name: REFERRALS.earned, cell: earnedOf, isNumber: true, onPhone: 'key' },
];

export function LatestReferrals() {
  const [referrals] = useLoaded(async (signal) => {
    const query = { per_page: ROWS };
    return (await api.send('get', '/v2/affiliate/referrals', { query, signal })).body.data;
  }, []);
  return (
    <Card title={WORDS.latest} beside={<a href={hrefOf('referrals')}>{WORDS.allReferrals}</a>}>
      <WhenReady loaded={referrals} skeleton={skeleton}>
        {(rows) => (
          <Table
            name={WORDS.latest}
            columns={REFERRAL_COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
            empty={<p class="empty">{WORDS.noReferrals}</p>}
          />
        )}
      </WhenReady>
    </Card>
  );
}
