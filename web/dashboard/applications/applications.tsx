import { useState } from 'preact/hooks';
import { ApiError } from '../../kit/api-error.ts';
import { applicantName } from '../../kit/applicant.ts';
import { Button } from '../../kit/button.tsx';
import { type Column, text } from '../../kit/columns.ts';
import { Facts } from '../../kit/facts.tsx';
import { SelectField } from '../../kit/fields.tsx';
import { FilterPanel } from '../../kit/filter-panel.tsx';
import { formatDateAndTime } from '../../kit/format.ts';
import { List } from '../../kit/list.tsx';
import { pageOf, usePages } from '../../kit/pages.ts';
import { tell } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as APPLICATIONS from '../../words/dashboard/applications.ts';
import { BackLink } from '../advocates/back.tsx';
import { hrefOf, replaceFilters, useDashboard } from '../router.ts';
import { api } from '../service.ts';
import { type Application, Approve, Decline } from './dialogs.tsx';

const STATES = ['pending', 'approved', 'rejected', 'unconfirmed'] as const;

export function Applications() {
  const { token, can } = useDashboard();
  return (
    <section class="card whole-texts" aria-label={APPLICATIONS.title}>
      <BackLink />
      {token && !can('advocates') ? <p class="empty">{APPLICATIONS.notAllowed}</p> : <ApplicationList />}
    </section>
  );
}

interface Asked {
  readonly kind: 'approve' | 'decline';
  readonly application: Application;
}

function ApplicationList() {
  const { route } = useDashboard();
  const state = STATES.find((each) => each === route.filters['state']) ?? 'pending';
  const [asked, setAsked] = useState<Asked>();
  const [decided, setDecided] = useState<readonly string[]>([]);
  const [missing, setMissing] = useState<string>();
  const pages = usePages(
    async (cursor, signal) => {
      const query = { state_eq: state, per_page: 25, cursor };
      try {
        return await pageOf(api.send('get', '/v2/applications', { query, signal }));
      } catch (error) {
        // Without `emails=on`, there are no applications.
        if (!(error instanceof ApiError && error.status === 404)) throw error;
        setMissing(error.message);
        return { rows: [], next: undefined };
      }
    },
    [state],
  );
  if (missing !== undefined) return <p class="empty">{missing}</p>;
  // Somebody else may have decided while the dialog was open.
  const close = () => {
    setAsked(undefined);
    pages.reload();
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
  const buttons: Column<Application> = text(
    COMMON.actions,
    (application) => (
      <div class="buttons row">
        <Button label={APPLICATIONS.approve} onClick={() => setAsked({ kind: 'approve', application })} />
        <Button label={APPLICATIONS.decline} kind="quiet" onClick={() => setAsked({ kind: 'decline', application })} />
      </div>
    ),
    'below',
  );
  // The list may contain an application for a moment after its decision.
  const rows = pages.rows.filter(({ id, attributes }) => attributes.state !== 'pending' || !decided.includes(id));
  return (
    <>
      <div class="tools">
        <FilterPanel>
          <SelectField
            label={COMMON.state}
            isInline
            value={state}
            options={STATES}
            names={APPLICATIONS.STATES}
            onChange={(next) => replaceFilters({ state: next === 'pending' ? undefined : next })}
          />
        </FilterPanel>
      </div>
      <List
        name={APPLICATIONS.title}
        pages={{ ...pages, rows }}
        lines={6}
        columns={state === 'pending' ? [...COLUMNS, buttons] : COLUMNS}
        empty={APPLICATIONS.EMPTY[state]}
      />
      {dialog?.kind === 'approve' && <Approve {...dialog} />}
      {dialog?.kind === 'decline' && <Decline {...dialog} />}
    </>
  );
}

const COLUMNS: readonly Column<Application>[] = [
  text(APPLICATIONS.applicant, ({ attributes }) => <Applicant {...attributes} />, 'name'),
  text(
    APPLICATIONS.answers,
    ({ attributes: { answers } }) =>
      answers.length > 0 && <Facts kind="answers" facts={answers.map(({ label, answer }) => [label, answer])} />,
    'below',
  ),
  text(
    APPLICATIONS.flags,
    ({ attributes: { flags, note, affiliate_slug: slug } }) => (
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
    'below',
  ),
  text(APPLICATIONS.sent, ({ attributes: { created_at } }) => formatDateAndTime(created_at)),
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
