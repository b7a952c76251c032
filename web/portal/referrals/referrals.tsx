import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { number, text } from '../../kit/columns.ts';
import { cellsOf } from '../../kit/csv.ts';
import { CsvButton } from '../../kit/csv-button.tsx';
import { SelectField } from '../../kit/fields.tsx';
import { FilterPanel } from '../../kit/filter-panel.tsx';
import { formatNumber } from '../../kit/format.ts';
import { List } from '../../kit/list.tsx';
import { readyOf } from '../../kit/loaded.ts';
import { usePages } from '../../kit/pages.ts';
import { withRules } from '../../kit/rules.ts';
import * as COMMON from '../../words/common.ts';
import * as LINKS from '../../words/portal/links.ts';
import * as WORDS from '../../words/portal/referrals.ts';
import * as SHELL from '../../words/portal/shell.ts';
import { replaceFilters, useRoute } from '../router.ts';
import { api, readRules } from '../service.ts';
import { earnedOf, type Referral, signedUpOf, sourceOf, stateOf } from './cells.tsx';
import { ReferralDialog } from './referral-dialog.tsx';

const STATES = ['clicked', 'converted', 'paid', 'churned', 'rejected'] as const;

const ROWS = 25;

const COLUMNS = [
  text(COMMON.state, stateOf, 'below'),
  text(WORDS.signedUp, signedUpOf, 'below'),
  text(WORDS.source, sourceOf, 'below'),
  number<Referral>(WORDS.payments, ({ attributes: { payments } }) => formatNumber(payments)),
  number(WORDS.earned, earnedOf, 'key'),
];

/** The attributes of the API in the columns of the file. */
const FILE = [
  ...(['id', 'email', 'state', 'state_set_at', 'created_at', 'updated_at', 'sub_id', 'code', 'converted_at'] as const),
  ...(['payments', 'commission_percentage', 'commission_end_date'] as const),
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
  const columns = [
    text<Referral>(
      WORDS.customer,
      (row) => <Button label={row.attributes.email ?? WORDS.noEmail} kind="link" onClick={() => setOpened(row)} />,
      'name',
    ),
    ...COLUMNS,
  ];
  return (
    <Card
      title={SHELL.referrals}
      kind="untitled"
      beside={
        <FilterPanel isOpenAtStart={hasFilters}>
          {label !== undefined && (
            <Button
              label={`${LINKS.label}: ${label} ×`}
              kind="quiet"
              onClick={() => replaceFilters({ label: undefined })}
            />
          )}
          <SelectField
            label={COMMON.state}
            isInline
            value={state ?? ''}
            options={[['', COMMON.all], ...STATES]}
            names={COMMON.states}
            onChange={(chosen) => replaceFilters({ state: chosen || undefined })}
          />
        </FilterPanel>
      }
    >
      <List
        lines={4}
        height={2.5}
        name={SHELL.referrals}
        pages={pages}
        columns={columns}
        empty={
          hasFilters ? (
            <>
              {COMMON.noMatches} <Button label={COMMON.clearFilters} kind="link" onClick={clear} />
            </>
          ) : (
            WORDS.none
          )
        }
        onOpen={setOpened}
      />
      {(hasFilters || readyOf(pages.list)?.value.rows.length !== 0) && (
        <div class="list-foot">
          <CsvButton
            file="referrals.csv"
            columns={[...FILE, 'commission_rules']}
            cells={(row) => [...cellsOf(FILE, row), row.rules]}
            read={readForFile}
            whenCut={WORDS.cut}
          />
        </div>
      )}
      {opened && <ReferralDialog referral={opened} onClose={() => setOpened(undefined)} />}
    </Card>
  );
}
