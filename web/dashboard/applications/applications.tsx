import { useState } from 'preact/hooks';
import { Answers, applicantName } from '../../kit/answers.tsx';
import { ApiError } from '../../kit/api-error.ts';
import { Button, SelectField } from '../../kit/controls.tsx';
import { formatDateAndTime } from '../../kit/format.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { type Column, Pager, Table, usePages } from '../../kit/table.tsx';
import { tell } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as APPLICATIONS from '../../words/dashboard/applications.ts';
import { FilterPanel } from '../filter-panel.tsx';
import { hrefOf, replaceFilters, useDashboard } from '../router.ts';
import { type Application, Approve, Decline } from './dialogs.tsx';

const STATES = ['pending', 'approved', 'rejected', 'unconfirmed'] as const;

export function Applications() {
  const { token, can } = useDashboard();
  return (
    <section class="card whole-texts" aria-label={APPLICATIONS.title}>
      <a class="back" href={hrefOf('advocates')}>
        {APPLICATIONS.backToAdvocates}
      </a>
      {token && !can('advocates') ? <p class="empty">{APPLICATIONS.notAllowed}</p> : <List />}
    </section>
  );
}

interface Asked {
  readonly kind: 'approve' | 'decline';
  readonly application: Application;
}

function List() {
  const { api, route } = useDashboard();
  const state = STATES.find((each) => each === route.filters['state']) ?? 'pending';
  const [asked, setAsked] = useState<Asked>();
  const [decided, setDecided] = useState<readonly string[]>([]);
  const [missing, setMissing] = useState<string>();
  const pages = usePages(
    async (cursor, signal) => {
      const query = { state_eq: state, per_page: 25, cursor };
      try {
        const { body, next } = await api.send('get', '/v2/applications', { query, signal });
        return { rows: body.data, next };
      } catch (error) {
        // Without `emails=on`, there are no applications.
        if (!(error instanceof ApiError && error.status === 404)) throw error;
        setMissing(error.message);
        return { rows: [], next: undefined };
      }
    },
    [state],
  );
  const { list, reload } = pages;
  if (missing !== undefined) return <p class="empty">{missing}</p>;
  // Somebody else may have decided while the dialog was open.
  const close = () => {
    setAsked(undefined);
    reload();
  };
  const dialog = asked && {
    ...asked,
    onClose: close,
    onDone: ({ id }: Application, sentence: string) => {
      close();
      setDecided([...decided, id]);
      tell(sentence);
    },
  };
  const buttons: Column<Application> = {
    ...{ id: 'actions', name: COMMON.actions, onPhone: 'below' },
    cell: (application) => (
      <div class="buttons row">
        <Button label={APPLICATIONS.approve} onClick={() => setAsked({ kind: 'approve', application })} />
        <Button label={APPLICATIONS.decline} kind="quiet" onClick={() => setAsked({ kind: 'decline', application })} />
      </div>
    ),
  };
  return (
    <>
      <div class="tools">
        <FilterPanel>
          <SelectField
            label={COMMON.state}
            isInline
            value={state}
            options={STATES.map((each) => [each, APPLICATIONS.STATES[each]] as const)}
            onChange={(next) => replaceFilters({ state: next === 'pending' ? undefined : next })}
          />
        </FilterPanel>
      </div>
      <WhenReady loaded={list} skeleton={<Skeleton lines={6} height={3} />}>
        {({ rows, next }) => (
          <>
            <Table
              name={APPLICATIONS.title}
              columns={state === 'pending' ? [...COLUMNS, buttons] : COLUMNS}
              // The list may contain an application for a moment after its decision.
              rows={rows.filter(({ id, attributes }) => attributes.state !== 'pending' || !decided.includes(id))}
              keyOf={({ id }) => id}
              empty={<p class="empty">{APPLICATIONS.EMPTY[state]}</p>}
            />
            <div class="list-foot">
              <Pager pages={pages} next={next} />
            </div>
          </>
        )}
      </WhenReady>
      {dialog?.kind === 'approve' && <Approve {...dialog} />}
      {dialog?.kind === 'decline' && <Decline {...dialog} />}
    </>
  );
}

const COLUMNS: readonly Column<Application>[] = [
  {
    ...{ id: 'applicant', name: APPLICATIONS.applicant, onPhone: 'name' },
    cell: ({ attributes }) => <Applicant {...attributes} />,
  },
  {
    ...{ id: 'answers', name: APPLICATIONS.answers, onPhone: 'below' },
    cell: ({ attributes: { answers } }) => answers.length > 0 && <Answers answers={answers} />,
  },
  {
    ...{ id: 'flags', name: APPLICATIONS.flags, onPhone: 'below' },
    cell: ({ attributes: { flags, note, affiliate_slug: slug } }) => (
      <>
        {flags.map((flag) => (
          <p key={flag}>{APPLICATIONS.FLAGS[flag]}</p>
        ))}
        {slug !== null && (
          <a href={hrefOf('advocates', slug)}>
            <bdi>{slug}</bdi>
          </a>
        )}
        {note !== null && <p class="lines">{note}</p>}
      </>
    ),
  },
  {
    ...{ id: 'sent', name: APPLICATIONS.sent },
    cell: ({ attributes: { created_at } }) => formatDateAndTime(created_at),
  },
];

function Applicant(attributes: Application['attributes']) {
  const { email, confirmed_at, created_at } = attributes;
  return (
    <>
      <bdi>{applicantName(attributes) || APPLICATIONS.noName}</bdi>
      <bdi class="person-line">{email}</bdi>
      {confirmed_at === null ? (
        <span class="badge warn">{APPLICATIONS.unconfirmed}</span>
      ) : (
        <span class="badge good">{APPLICATIONS.confirmed}</span>
      )}
      <span class="person-line on-phone">{formatDateAndTime(created_at)}</span>
    </>
  );
}
