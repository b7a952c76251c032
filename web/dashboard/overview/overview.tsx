import { useEffect, useState } from 'preact/hooks';
import type { Api } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import type { Group } from '../../kit/measures.ts';
import { Numbers, type NumbersProps } from '../../kit/numbers.tsx';
import { periodOf } from '../../kit/period.ts';
import { hasTerms } from '../../kit/rules.ts';
import { readyOf, refresh, Skeleton, useLoaded } from '../../kit/status.tsx';
import * as OVERVIEW from '../../words/dashboard/overview.ts';
import { type Filters, hrefOf, replaceFilters, useDashboard } from '../router.ts';
import { readProgress } from '../start/progress.ts';
import { type Known, Start } from '../start/start.tsx';
import { Attention, useAttention } from './attention.tsx';
import { Latest, TopAdvocates } from './lists.tsx';
import { Now } from './now.tsx';

const MEASURES = ['revenue', 'commissions', 'clicks', 'signUps', 'paying'] as const;

/** Milliseconds for which the page waits for what stands above the numbers, so that nothing moves. */
const PATIENCE = 1500;

/** How does the program do, and what is there to do? Everything is read in parallel, before the program is known. */
export function Overview() {
  const { api, program, route } = useDashboard();
  const { range, from, to } = route.filters;
  const balances = useBalances();
  const { lines, isLoading, hasEmails } = useAttention(balances);
  const [seen, setSeen] = useState<Seen>();
  const start = useStart(seen);
  const isLate = useLate();
  const [top] = useLoaded((signal) => readTop(api, route.filters, signal), [range, from, to]);
  const [latest] = useLoaded(
    async (signal) => (await api.send('get', '/v2/referrals', { query: { per_page: 8 }, signal })).body.data,
    [],
  );
  const read: NumbersProps['read'] = async (query, signal) => {
    try {
      const { groups } = (await api.send('get', '/v2/statistics', { query, signal })).body.data.attributes;
      setSeen((last) => seenIn(groups, last === ALL_SEEN ? undefined : last));
      return { groups };
    } catch (error) {
      if (!signal.aborted) setSeen((last) => last ?? ALL_SEEN);
      throw error;
    }
  };
  const isKnown = isLate || (!isLoading && program !== undefined && !start.isLoading && seen !== undefined);
  return (
    <>
      {!isKnown && <Skeleton lines={3} height={10} />}
      {isKnown && start.content(hasEmails)}
      {isKnown && !start.isNew && <Attention lines={lines} />}
      <div class="overview" hidden={!isKnown || start.isNew}>
        <Now balances={balances} />
        <Numbers
          measures={MEASURES}
          filters={route.filters}
          onFilters={replaceFilters}
          read={read}
          nothingYet={
            <>
              {OVERVIEW.nothingYet} <a href={hrefOf('advocates')}>{OVERVIEW.inviteAdvocates}</a>
            </>
          }
        />
        <div class="columns">
          <TopAdvocates list={top} />
          <Latest latest={latest} advocates={readyOf(top)?.value ?? []} />
        </div>
      </div>
    </>
  );
}

/** The advocates with the most revenue of a range, or without any, with the most customers. */
async function readTop(api: Api, filters: Filters, signal: AbortSignal) {
  const { from, to } = periodOf(filters, Date.now());
  const read = async (sort: 'revenue' | 'paying') =>
    (await api.send('get', '/v2/statistics/advocates', { query: { from, to, sort }, signal })).body.data;
  try {
    const rows = await read('revenue');
    return rows.length > 0 ? rows : await read('paying');
  } catch (error) {
    // A range with too many advocates is refused, so the list is left out.
    if (error instanceof ApiError && error.status === 400) return undefined;
    throw error;
  }
}

function useBalances() {
  const { api } = useDashboard();
  const [balances] = useLoaded(async (signal) => {
    const { body, next } = await api.send('get', '/v2/balances', { signal });
    return { data: body.data, currencies: body.meta.currencies, hasMore: next !== undefined };
  }, []);
  return balances;
}

/** True after a while. */
function useLate(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

/** What the numbers of a range show. A program that has everything needs no other request. */
interface Seen {
  readonly clicks: boolean;
  readonly signUps: boolean;
  readonly paying: boolean;
}

/** Stands for numbers that could not be read. */
const ALL_SEEN: Seen = { clicks: true, signUps: true, paying: true };

const seenIn = (groups: readonly Group[], last: Seen | undefined): Seen => ({
  clicks: last?.clicks || groups.some(({ clicks }) => clicks > 0),
  signUps: last?.signUps || groups.some(({ conversions }) => conversions > 0),
  paying: last?.paying || groups.some(({ paying }) => paying > 0),
});

/** "Getting started" of a program that lacks something. It stays until it is closed or the view is left. */
function useStart(seen: Seen | undefined) {
  const { api, program } = useDashboard();
  const [isClosed, setClosed] = useState(false);
  const [isShown, setShown] = useState(false);
  const [known, setKnown] = useState<Known>({});
  const isRunning = program && seen && hasTerms(program.attributes) && seen.clicks && seen.signUps && seen.paying;
  const isNeeded = program !== undefined && seen !== undefined && !isRunning;
  const [loaded, reload] = useLoaded(
    async (signal) => (isNeeded || isShown ? await readProgress(api, signal) : undefined),
    [isNeeded || isShown],
    [],
  );
  const progress = readyOf(loaded)?.value;
  const isDone =
    progress?.hasClicks && progress.hasSignUps && progress.hasPayments && program && hasTerms(program.attributes);
  useEffect(() => {
    if (isNeeded && progress && !isDone) setShown(true);
  }, [isNeeded, progress, isDone]);
  const close = () => {
    setClosed(true);
    refresh();
  };
  const isOpen = !isClosed && program && progress && (isShown || (isNeeded && !isDone));
  return {
    isLoading: isNeeded && loaded.kind !== 'failed' && !progress,
    /** True before the first visit: then there is nothing else to show. */
    isNew: progress !== undefined && !progress.hasClicks && !progress.hasSignUps && known.script !== 'done',
    content: (hasEmails: boolean) =>
      isOpen ? (
        <Start {...{ program, progress, hasEmails, known }} onKnown={setKnown} onChanged={reload} onClose={close} />
      ) : null,
  };
}
