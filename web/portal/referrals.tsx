import { useId, useRef, useState } from 'preact/hooks';
import type { Schemas } from '../kit/api-types.ts';
import { timestamp } from '../kit/csv.ts';
import { CsvButton } from '../kit/csv-button.tsx';
import { formatDate, formatPercentage } from '../kit/format.ts';
import { useLoaded } from '../kit/load.ts';
import { Skeleton, WhenReady } from '../kit/status.tsx';
import { useSettled } from '../kit/store.ts';
import { type Column, Pager, Table, useCursors } from '../kit/table.tsx';
import { PORTAL } from '../words/portal.ts';
import { api } from './service.ts';

type Referral = Schemas['ListedReferral'];

const STATES = ['clicked', 'converted', 'paid', 'churned', 'rejected'] as const;
type State = (typeof STATES)[number];
const isState = (text: string): text is State => STATES.some((state) => state === text);

const ROWS = 10;

const COLUMNS: readonly Column<Referral>[] = [
  { name: PORTAL.person, cell: ({ attributes: { email } }) => email ?? <span class="soft">{PORTAL.noEmail}</span> },
  {
    name: PORTAL.state,
    cell: ({ attributes: { state } }) => <span class={`badge state-${state}`}>{state}</span>,
  },
  { name: PORTAL.subId, cell: ({ attributes: { sub_id } }) => <bdi>{sub_id ?? '–'}</bdi> },
  { name: PORTAL.created, cell: ({ attributes: { created_at } }) => formatDate(created_at) },
  {
    name: PORTAL.rate,
    cell: ({ attributes: { commission_percentage: rate } }) => (rate === null ? '–' : formatPercentage(rate)),
    isNumber: true,
  },
  { name: PORTAL.earnsUntil, cell: ({ attributes }) => endOf(attributes) },
];

function endOf({ state, commission_end_date: end }: Referral['attributes']): string {
  if (end !== null) return formatDate(end);
  return state === 'clicked' ? '–' : PORTAL.always;
}

/** The attributes of the API in the columns of the file. */
const FILE = [
  'id',
  'email',
  'state',
  'state_set_at',
  'created_at',
  'updated_at',
  'sub_id',
  'commission_percentage',
  'commission_end_date',
] as const;

function cellsOf({ id, attributes }: Referral) {
  const { email, state, sub_id, commission_percentage } = attributes;
  return [
    id,
    email,
    state,
    timestamp(attributes.state_set_at),
    timestamp(attributes.created_at),
    timestamp(attributes.updated_at),
    sub_id,
    commission_percentage,
    timestamp(attributes.commission_end_date),
  ];
}

/** The list of the advocate's referrals in the order of the API. */
export function Referrals() {
  const id = useId();
  const [state, setState] = useState<State>();
  const [typed, setTyped] = useState('');
  const stateFilter = useRef<HTMLSelectElement>(null);
  const subId = useSettled(typed.trim());
  const cursors = useCursors([state, subId]);
  const read = async (signal: AbortSignal, per_page: number, cursor: string | undefined) => {
    const filters = { ...(state && { state_eq: state }), ...(subId !== '' && { sub_id_eq: subId }) };
    const query = { ...filters, per_page, ...(cursor !== undefined && { cursor }) };
    const { body, next } = await api.send('get', '/v1/affiliate/referrals', { query, signal });
    return { rows: body.data, next };
  };
  const [list, reload] = useLoaded(
    (signal) => read(signal, ROWS, cursors.cursor),
    [state, subId, cursors.cursor],
    [state, subId],
  );
  const isReading = list.kind !== 'ready' || list.isReloading;
  const hasFilters = state !== undefined || subId !== '';
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{PORTAL.referrals}</h2>
        <div class="filters">
          <label class="field inline">
            <span>{PORTAL.state}</span>
            <select
              ref={stateFilter}
              value={state ?? ''}
              onChange={({ currentTarget: { value } }) => setState(isState(value) ? value : undefined)}
            >
              <option value="">{PORTAL.all}</option>
              {STATES.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </label>
          <input
            type="search"
            maxLength={128}
            aria-label={PORTAL.filterBySubId}
            placeholder={PORTAL.filterBySubId}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </div>
      </div>
      <WhenReady loaded={list} onRetry={reload} skeleton={<Skeleton lines={ROWS / 2} height={1.75} />}>
        {({ rows, next }) => (
          <>
            {rows.length === 0 && cursors.page === 1 ? (
              <Empty
                hasFilters={hasFilters}
                onClear={() => {
                  setState(undefined);
                  setTyped('');
                  // The button disappears with the filters.
                  stateFilter.current?.focus();
                }}
              />
            ) : (
              <Table name={PORTAL.referrals} columns={COLUMNS} rows={rows} keyOf={(row) => row.id} />
            )}
            <div class="list-foot">
              <Pager cursors={cursors} next={next} isReading={isReading} />
              {(rows.length > 0 || hasFilters) && (
                <CsvButton
                  file="referrals.csv"
                  columns={FILE}
                  cells={cellsOf}
                  read={(cursor, signal) => read(signal, 50, cursor)}
                  whenCut={PORTAL.referralsCut}
                />
              )}
            </div>
          </>
        )}
      </WhenReady>
    </section>
  );
}

function Empty({ hasFilters, onClear }: { readonly hasFilters: boolean; readonly onClear: () => void }) {
  if (!hasFilters) return <p class="empty">{PORTAL.noReferrals}</p>;
  return (
    <p class="empty">
      {PORTAL.noMatches}{' '}
      <button type="button" class="link" onClick={onClear}>
        {PORTAL.clearFilters}
      </button>
    </p>
  );
}
