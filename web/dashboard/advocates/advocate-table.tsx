import { useState } from 'preact/hooks';
import type { Api, Schemas } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import { Button, CopyButton } from '../../kit/controls.tsx';
import { dayOf, firstDayOf, formatNumber, formatPercentage } from '../../kit/format.ts';
import { hasTerms, termsText } from '../../kit/rules.ts';
import { type Loaded, Problem, readyOf, useLoaded } from '../../kit/status.tsx';
import { type Column, numberColumn, Table } from '../../kit/table.tsx';
import { COMMON } from '../../words/common.ts';
import { ADVOCATES, MONEY } from '../../words/dashboard.ts';
import { Confirm, useActions } from '../form-dialog.tsx';
import { Adjust } from '../money/settle.tsx';
import { hrefOf, type Program, useDashboard } from '../router.ts';

interface AdvocateTableProps {
  readonly rows: readonly Advocate[];
  readonly onEdit: (advocate: Advocate) => void;
  readonly onChanged: () => void;
}

export function AdvocateTable({ rows, onEdit, onChanged }: AdvocateTableProps) {
  const { api, can, program } = useDashboard();
  const { run, finish, report } = useActions();
  const [adjusted, setAdjusted] = useState<string>();
  const [ending, setEnding] = useState<string>();
  const [numbers, reloadNumbers] = useNumbers(rows.map(({ attributes: { slug } }) => slug));
  const error = numbers.kind === 'failed' ? numbers.error : undefined;
  const [groups, reloadGroups] = useGroups(rows);
  const isLeftOut = error?.isRefusal || error?.status === 0;
  const actions = can('advocates')
    ? {
        edit: onEdit,
        openPage: ({ attributes: { slug } }: Advocate) =>
          void run(async () => {
            // It lasts an hour, or until this page's token ends.
            const { data } = (await api.send('post', '/v2/advocates/{slug}/tokens', { params: { slug }, body: {} }))
              .body;
            // Without `noopener`, the tab would get a copy of this tab's storage, with the program's token.
            window.open(`portal#token=${data.attributes.token}`, '_blank', 'noopener,noreferrer');
            return ADVOCATES.opened(slug);
          }),
        setActive: ({ attributes: { slug } }: Advocate, active: boolean) =>
          void run(async () => {
            await api.send('patch', '/v2/advocates/{slug}', { params: { slug }, body: { active } });
            onChanged();
            return active ? ADVOCATES.activated(slug) : ADVOCATES.deactivated(slug);
          }),
        endSessions: ({ attributes: { slug } }: Advocate) => setEnding(slug),
      }
    : undefined;
  async function endSessions(slug: string): Promise<void> {
    await api.send('delete', '/v2/advocates/{slug}/tokens', { params: { slug } });
    setEnding(undefined);
    finish(ADVOCATES.sessionsEnded(slug));
  }
  const columns = columnsOf({
    numbers: readyOf(numbers)?.value,
    groups: readyOf(groups)?.value,
    terms: program?.attributes,
    actions,
    adjust: can('payouts') ? ({ attributes: { slug } }) => setAdjusted(slug) : undefined,
  });
  return (
    <>
      <Table name={ADVOCATES.title} columns={columns} rows={rows} keyOf={({ id }) => id} />
      {error && !isLeftOut && <Problem error={error} onRetry={reloadNumbers} />}
      {groups.kind === 'failed' && groups.error.status !== 0 && <Problem error={groups.error} onRetry={reloadGroups} />}
      {isLeftOut && (
        <p class="soft">
          {ADVOCATES.noNumbers} {error.message}
        </p>
      )}
      {report}
      {ending !== undefined && (
        <Confirm
          title={ADVOCATES.endSessions}
          onClose={() => setEnding(undefined)}
          onConfirm={() => endSessions(ending)}
        >
          <p>{ADVOCATES.endSessionsAdvice(ending)}</p>
        </Confirm>
      )}
      {adjusted !== undefined && (
        <Adjust
          slug={adjusted}
          onClose={() => setAdjusted(undefined)}
          onAdjusted={() => {
            setAdjusted(undefined);
            finish(MONEY.adjusted(adjusted));
          }}
        />
      )}
    </>
  );
}

/** What the buttons of a row do. `undefined` if the token does not allow it. */
interface RowActions {
  readonly edit: (advocate: Advocate) => void;
  readonly openPage: (advocate: Advocate) => void;
  readonly setActive: (advocate: Advocate, active: boolean) => void;
  readonly endSessions: (advocate: Advocate) => void;
}

interface Buttons {
  readonly actions: RowActions | undefined;
  readonly adjust: ((advocate: Advocate) => void) | undefined;
}

interface ColumnsOptions extends Buttons {
  /** The numbers of each advocate by slug; `undefined` until they are known. */
  readonly numbers: Numbers | undefined;
  /** `undefined` until they are known. */
  readonly groups: Groups | undefined;
  readonly terms: Program['attributes'] | undefined;
}

function columnsOf({ numbers, groups, terms, ...buttons }: ColumnsOptions): Column<Advocate>[] {
  const count = (field: 'clicks' | 'conversions' | 'paying') => (advocate: Advocate) => {
    const value = numbers?.get(advocate.attributes.slug)?.[field];
    return value === undefined ? COMMON.unknown : formatNumber(value);
  };
  return [
    { name: COMMON.advocate, cell: (advocate) => <Person advocate={advocate} /> },
    {
      name: ADVOCATES.slug,
      cell: ({ attributes: { slug } }) => (
        <a href={hrefOf('referrals', { advocate: slug })}>
          <bdi>{slug}</bdi>
        </a>
      ),
    },
    numberColumn(COMMON.rate, ({ attributes: { commission_percentage, group } }) => {
      if (commission_percentage !== null) return formatPercentage(commission_percentage);
      if (group !== null && !groups) return COMMON.unknown;
      const found = [groups?.get(group ?? ''), terms].find((each) => each && hasTerms(each));
      return found ? <span class="sentence">{termsText(found)}</span> : '–';
    }),
    numberColumn(COMMON.clicks, count('clicks')),
    numberColumn(COMMON.signUps, count('conversions')),
    numberColumn(COMMON.paying, count('paying')),
    { name: COMMON.actions, cell: (advocate) => <RowButtons advocate={advocate} {...buttons} /> },
  ];
}

function Person({ advocate }: { readonly advocate: Advocate }) {
  const { attributes } = advocate;
  const name = nameOf(attributes) ?? (isErased(advocate) ? COMMON.erased : attributes.slug);
  return (
    <>
      <bdi>{name}</bdi> {!attributes.active && <span class="badge warn">{COMMON.paused}</span>}
      {attributes.email !== null && attributes.email !== name && <Email email={attributes.email} />}
    </>
  );
}

/** A long email breaks before its host. */
function Email({ email }: { readonly email: string }) {
  const host = email.indexOf('@') + 1;
  return (
    <bdi class="person-line">
      {email.slice(0, host)}
      <wbr />
      {email.slice(host)}
    </bdi>
  );
}

/** An erased advocate has a balance, but no link. */
function RowButtons({ advocate, actions, adjust }: Buttons & { readonly advocate: Advocate }) {
  const { referral_link, active } = advocate.attributes;
  const isHere = !isErased(advocate);
  return (
    <div class="buttons row">
      {isHere && <CopyButton text={referral_link} label={COMMON.copyLink} />}
      {isHere && actions && (
        <>
          <Button label={ADVOCATES.openPage} onClick={() => actions.openPage(advocate)} />
          <Button label={ADVOCATES.edit} onClick={() => actions.edit(advocate)} />
          <Button
            label={active ? ADVOCATES.deactivate : ADVOCATES.activate}
            kind="quiet"
            onClick={() => actions.setActive(advocate, !active)}
          />
          <Button label={ADVOCATES.endSessions} kind="quiet" onClick={() => actions.endSessions(advocate)} />
        </>
      )}
      {adjust && <Button label={MONEY.adjust} kind="quiet" onClick={() => adjust(advocate)} />}
    </div>
  );
}

/** The statistics of the last 30 days by slug. */
type Numbers = ReadonlyMap<string, Schemas['AdvocateStatistics']['attributes']>;

const MAX_SLUGS = 50;

function useNumbers(slugs: readonly string[]): [loaded: Loaded<Numbers>, reload: () => void] {
  const { api } = useDashboard();
  return useLoaded(
    async (signal) => {
      if (slugs.length === 0) return new Map();
      const now = Date.now();
      const query = {
        slugs: slugs.slice(0, MAX_SLUGS).join(','),
        from: firstDayOf('30d', now),
        to: dayOf(now),
      };
      const { data } = (await api.send('get', '/v2/statistics/advocates', { query, signal })).body;
      return new Map(data.map(({ id, attributes }) => [id, attributes]));
    },
    [slugs],
  );
}

type Groups = ReadonlyMap<string, Schemas['Group']['attributes']>;

/** The groups by name, which are read only if the rate of a row may follow from one. */
function useGroups(rows: readonly Advocate[]): [loaded: Loaded<Groups>, reload: () => void] {
  const { api } = useDashboard();
  const isNeeded = rows.some(
    ({ attributes }) => attributes.group !== null && attributes.commission_percentage === null,
  );
  return useLoaded(
    async (signal) => {
      if (!isNeeded) return new Map();
      const { data } = (await api.send('get', '/v2/groups', { signal })).body;
      return new Map(data.map(({ id, attributes }) => [id, attributes]));
    },
    [isNeeded],
  );
}

export type Advocate = Schemas['ListedAdvocate'];

/** Reads a page of all advocates, newest first. */
export async function readAdvocates(api: Api, cursor: string | undefined, signal: AbortSignal) {
  const query = { per_page: 25, cursor };
  const { body, next } = await api.send('get', '/v2/advocates', { query, signal });
  return { rows: body.data, next };
}

/** Finds the advocates with exactly this email, id or slug, each kind that the text can be in parallel. */
export async function findAdvocates(api: Api, text: string, signal: AbortSignal): Promise<Advocate[]> {
  const list = async (query: { email_eq: string } | { uid_eq: string }) =>
    (await api.send('get', '/v2/advocates', { query: { ...query, per_page: 50 }, signal })).body.data;
  const found = await Promise.all([
    text.includes('@') ? unlessMissing(list({ email_eq: text })) : [],
    unlessMissing(list({ uid_eq: text })),
    /^[\w-]{1,64}$/.test(text) ? unlessMissing(readBySlug(api, text, signal)) : [],
  ]);
  return [...new Map(found.flat().map((advocate) => [advocate.id, advocate])).values()];
}

async function readBySlug(api: Api, slug: string, signal: AbortSignal): Promise<Advocate[]> {
  return [(await api.send('get', '/v2/advocates/{slug}', { params: { slug }, signal })).body.data];
}

/** No advocate, and a text that cannot be of this kind, are no results. */
async function unlessMissing(reading: Promise<Advocate[]>): Promise<Advocate[]> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return [];
    throw error;
  }
}

function nameOf({ first_name, last_name, email, uid }: Advocate['attributes']): string | undefined {
  return [first_name, last_name].filter(Boolean).join(' ') || (email ?? uid ?? undefined);
}

/** An erased advocate has no email. */
const isErased = ({ attributes: { email } }: Advocate) => email === null;
