import { useState } from 'preact/hooks';
import { Button, Card, Empty, SelectField } from '../../kit/controls.tsx';
import { cellsOf } from '../../kit/csv.ts';
import { CsvButton } from '../../kit/csv-button.tsx';
import { formatNumber } from '../../kit/format.ts';
import { withRules } from '../../kit/rules.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { type Column, Pager, Table, usePages } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as LINKS from '../../words/portal/links.ts';
import * as WORDS from '../../words/portal/referrals.ts';
import * as SHELL from '../../words/portal/shell.ts';
import { replaceFilters, useRoute } from '../router.ts';
import { api, readRules } from '../service.ts';
import { customerOf, earnedOf, type Referral, signedUpOf, sourceOf, stateOf } from './cells.tsx';
import { ReferralDialog } from './referral-dialog.tsx';

const STATES = ['clicked', 'converted', 'paid', 'churned', 'rejected'] as const;

const ROWS = 25;

const COLUMNS: readonly Column<Referral>[] = [
  { id: 'customer', name: WORDS.customer, cell: customerOf, onPhone: 'name' },
  { id: 'state', name: WORDS.state, cell: stateOf, onPhone: 'below' },
  { id: 'date', name: WORDS.signedUp, cell: signedUpOf, onPhone: 'below' },
  { id: 'source', name: WORDS.source, cell: sourceOf },
  {
    id: 'payments',
    name: WORDS.payments,
    cell: ({ attributes: { payments } }) => formatNumber(payments),
    isNumber: true,
  },
  { id: 'earned', name: WORDS.earned, cell: earnedOf, isNumber: true, onPhone: 'key' },
];

/** The attributes of the API in the columns of the file. */
const FILE = [
  ...(['id', 'email', 'state', 'state_set_at', 'created_at', 'updated_at', 'sub_id', 'code', 'payments'] as const),
  ...(['commission_percentage', 'commission_end_date'] as const),
] as const;

/** Whom did I refer, and what did each customer earn me? */
export function Referrals() {
  const { filters } = useRoute();
  const state = STATES.find((each) => each === filters['state']);
  const label = filters['label'];
  const [opened, setOpened] = useState<Referral>();
  const read = async (per_page: number, cursor: string | undefined, signal: AbortSignal) => {
    const query = { state_eq: state, sub_id_eq: label, per_page, cursor };
    const { body, next } = await api.send('get', '/v2/affiliate/referrals', { query, signal });
    return { rows: body.data, next };
  };
  const readForFile = async (cursor: string | undefined, signal: AbortSignal) => {
    const { rows, next } = await read(50, cursor, signal);
    return { rows: await withRules(rows, readRules, signal), next };
  };
  const pages = usePages((cursor, signal) => read(ROWS, cursor, signal), [state, label]);
  const hasFilters = state !== undefined || label !== undefined;
  const clear = () => replaceFilters({ state: undefined, label: undefined });
  return (
    <Card
      title={SHELL.referrals}
      kind="untitled"
      beside={
        <div class="filters">
          {label !== undefined && (
            <Button
              label={`${LINKS.label}: ${label} ×`}
              kind="quiet"
              onClick={() => replaceFilters({ label: undefined })}
            />
          )}
          <SelectField
            label={WORDS.state}
            isInline
            value={state ?? ''}
            options={[['', COMMON.all], ...STATES.map((each) => [each, WORDS.states[each]] as const)]}
            onChange={(chosen) => replaceFilters({ state: chosen || undefined })}
          />
        </div>
      }
    >
      <WhenReady loaded={pages.list} skeleton={<Skeleton lines={8} height={2.5} />}>
        {({ rows, next }) => (
          <>
            {rows.length === 0 && pages.page === 1 ? (
              <Empty undo={COMMON.clearFilters} {...(hasFilters && { onUndo: clear })}>
                {hasFilters ? WORDS.noMatches : WORDS.none}
              </Empty>
            ) : (
              <Table name={SHELL.referrals} columns={COLUMNS} rows={rows} keyOf={({ id }) => id} onOpen={setOpened} />
            )}
            <div class="list-foot">
              <Pager pages={pages} next={next} />
              {(rows.length > 0 || hasFilters) && (
                <CsvButton
                  file="referrals.csv"
                  columns={[...FILE, 'commission_rules']}
                  cells={(row) => [...cellsOf(FILE, row), row.rules]}
                  read={readForFile}
                  whenCut={WORDS.cut}
                />
              )}
            </div>
          </>
        )}
      </WhenReady>
      {opened && <ReferralDialog referral={opened} onClose={() => setOpened(undefined)} />}
    </Card>
  );
}
