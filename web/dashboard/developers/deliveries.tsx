import { useId } from 'preact/hooks';
import type { Schemas } from '../../kit/api-error.ts';
import { Button } from '../../kit/controls.tsx';
import { formatDateAndTime, formatNumber } from '../../kit/format.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { type Column, numberColumn, Pager, Table, usePages } from '../../kit/table.tsx';
import { DEVELOPERS } from '../../words/dashboard-developers.ts';
import { useActions } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';

type Delivery = Schemas['Delivery'];
type Reason = Delivery['attributes']['reason'];

/** Why a delivery failed, as the end of a sentence. */
export function reasonOf(reason: Reason): string {
  return reason === null ? DEVELOPERS.reasons.unknown : DEVELOPERS.reasons[reason];
}

export function Deliveries({ webhook: { id, attributes } }: { readonly webhook: Webhook }) {
  const heading = useId();
  const { api, can } = useDashboard();
  const { run, report } = useActions();
  const pages = usePages(
    async (cursor, signal) => {
      const query = { per_page: 10, cursor };
      const { body, next } = await api.send('get', '/v2/webhooks/{id}/deliveries', { params: { id }, query, signal });
      return { rows: body.data, next };
    },
    [id],
  );
  const resend = (event_id: string) =>
    void run(async () => {
      await api.send('post', '/v2/webhooks/{id}/resend', { params: { id }, body: { event_id } });
      pages.reload();
      return DEVELOPERS.resent;
    });
  return (
    <section class="deliveries" aria-labelledby={heading}>
      <div class="card-head">
        <h3 id={heading}>
          {DEVELOPERS.deliveries} <bdi class="person-line">{attributes.url}</bdi>
        </h3>
        <p class="soft">{DEVELOPERS.deliveriesAdvice}</p>
      </div>
      <WhenReady loaded={pages.list} onRetry={pages.reload} skeleton={<Skeleton lines={4} height={1.75} />}>
        {({ rows, next }) => (
          <>
            {rows.length > 0 ? (
              <Table
                name={DEVELOPERS.deliveries}
                columns={can('admin') ? [...COLUMNS, buttonOf(resend)] : COLUMNS}
                rows={rows}
                keyOf={({ id: delivery }) => delivery}
              />
            ) : (
              <p class="empty">{DEVELOPERS.noDeliveries}</p>
            )}
            <Pager pages={pages} next={next} />
          </>
        )}
      </WhenReady>
      {report}
    </section>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  { name: DEVELOPERS.event, cell: ({ attributes: { event } }) => event },
  { name: DEVELOPERS.result, cell: ({ attributes }) => <Result {...attributes} /> },
  numberColumn(DEVELOPERS.attempt, ({ attributes: { attempt } }) => formatNumber(attempt)),
  numberColumn(DEVELOPERS.duration, ({ attributes: { duration_ms } }) => `${formatNumber(duration_ms)} ms`),
  { name: DEVELOPERS.time, cell: ({ attributes: { created_at } }) => formatDateAndTime(created_at) },
];

function Result({ status, reason }: Delivery['attributes']) {
  if (status === null) return <span class="bad">{reasonOf(reason)}</span>;
  return <span class={status >= 200 && status < 300 ? 'badge good' : 'badge bad'}>{status}</span>;
}

const buttonOf = (onResend: (eventId: string) => void): Column<Delivery> => ({
  name: DEVELOPERS.actions,
  cell: ({ attributes: { event_id } }) => (
    <div class="buttons row">
      <Button label={DEVELOPERS.resend} onClick={() => onResend(event_id)} />
    </div>
  ),
});

export type Webhook = Schemas['Webhook'];
