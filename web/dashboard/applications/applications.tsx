import { useState } from 'preact/hooks';
import { Answers, applicantName } from '../../kit/answers.tsx';
import { Button, SelectField } from '../../kit/controls.tsx';
import { formatDateAndTime } from '../../kit/format.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { type Column, Pager, Table, usePages } from '../../kit/table.tsx';
import { COMMON } from '../../words/common.ts';
import { APPLICATIONS } from '../../words/dashboard-applications.ts';
import { useActions } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';
import { type Application, Approve, Decline } from './dialogs.tsx';

const STATES = ['pending', 'approved', 'rejected', 'unconfirmed'] as const;

export function Applications() {
  const { token, can } = useDashboard();
  return (
    <section class="card" aria-label={APPLICATIONS.title}>
      {token && !can('advocates') ? <p class="empty">{APPLICATIONS.notAllowed}</p> : <List />}
    </section>
  );
}

interface Asked {
  readonly kind: 'approve' | 'decline';
  readonly application: Application;
}

function List() {
  const { api } = useDashboard();
  const { finish, report, clear } = useActions();
  const [state, setState] = useState<(typeof STATES)[number]>('pending');
  const [asked, setAsked] = useState<Asked>();
  const [decided, setDecided] = useState<readonly string[]>([]);
  const pages = usePages(
    async (cursor, signal) => {
      const query = { state_eq: state, per_page: 25, cursor };
      const { body, next } = await api.send('get', '/v2/applications', { query, signal });
      return { rows: body.data, next };
    },
    [state],
  );
  const { list, reload } = pages;
  // Without `emails=on`, there are no applications.
  if (list.kind === 'failed' && list.error.status === 404) return <p class="empty">{list.error.message}</p>;
  const close = () => setAsked(undefined);
  const onDecided = (application: Application, sentence: string) => {
    close();
    setDecided([...decided, application.id]);
    reload();
    finish(sentence);
  };
  const buttons: Column<Application> = {
    name: COMMON.actions,
    cell: (application) => (
      <div class="buttons row">
        <Button label={APPLICATIONS.approve} onClick={() => setAsked({ kind: 'approve', application })} />
        <Button label={APPLICATIONS.decline} kind="quiet" onClick={() => setAsked({ kind: 'decline', application })} />
      </div>
    ),
  };
  return (
    <>
      <div class="card-head">
        <div class="filters">
          <SelectField
            label={COMMON.state}
            isInline
            value={state}
            options={STATES.map((each) => [each, APPLICATIONS.states[each]] as const)}
            onChange={(next) => {
              clear();
              setState(next);
            }}
          />
          <p class="soft">{APPLICATIONS.order}</p>
        </div>
      </div>
      {report}
      <WhenReady loaded={list} onRetry={reload} skeleton={<Skeleton lines={6} height={2.5} />}>
        {({ rows, next }) => (
          <>
            <Table
              name={APPLICATIONS.title}
              columns={state === 'pending' ? [...COLUMNS, buttons] : COLUMNS}
              // The list may contain an application for a moment after its decision.
              rows={rows.filter(({ id, attributes }) => attributes.state !== 'pending' || !decided.includes(id))}
              keyOf={({ id }) => id}
              empty={<p class="empty">{APPLICATIONS.empty[state]}</p>}
            />
            <div class="list-foot">
              <Pager pages={pages} next={next} />
            </div>
          </>
        )}
      </WhenReady>
      {asked?.kind === 'approve' && <Approve {...asked} onClose={close} onDone={onDecided} />}
      {asked?.kind === 'decline' && <Decline {...asked} onClose={close} onDone={onDecided} />}
    </>
  );
}

const COLUMNS: readonly Column<Application>[] = [
  { name: APPLICATIONS.applicant, cell: ({ attributes }) => <Applicant {...attributes} /> },
  { name: APPLICATIONS.answers, cell: ({ attributes: { answers } }) => <Answers answers={answers} /> },
  {
    name: APPLICATIONS.flags,
    cell: ({ attributes: { flags, note, affiliate_slug: slug } }) => (
      <>
        {flags.map((flag) => (
          <p key={flag}>{APPLICATIONS.flagOf[flag]}</p>
        ))}
        {slug !== null && <p>{APPLICATIONS.slug(slug)}</p>}
        {note !== null && <p class="lines">{note}</p>}
        {flags.length === 0 && slug === null && note === null && '–'}
      </>
    ),
  },
  { name: APPLICATIONS.sent, cell: ({ attributes: { created_at } }) => formatDateAndTime(created_at) },
];

function Applicant(attributes: Application['attributes']) {
  const { email, confirmed_at } = attributes;
  return (
    <>
      <bdi>{applicantName(attributes) || APPLICATIONS.noName}</bdi>
      <bdi class="person-line">{email}</bdi>
      {confirmed_at === null ? (
        <span class="badge warn">{APPLICATIONS.unconfirmed}</span>
      ) : (
        <span class="badge good">{APPLICATIONS.confirmed}</span>
      )}
    </>
  );
}
