import { useEffect, useRef, useState } from 'preact/hooks';
import type { Api } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import { Numbers, type NumbersProps } from '../../kit/numbers.tsx';
import { periodOf } from '../../kit/period.ts';
import { hasTerms } from '../../kit/rules.ts';
import { readyOf, refresh, Skeleton, useLoaded } from '../../kit/status.tsx';
import * as OVERVIEW from '../../words/dashboard/overview.ts';
import { type Filters, hrefOf, replaceFilters, useDashboard } from '../router.ts';
import { remembered } from '../start/memory.ts';
import { readProgress } from '../start/progress.ts';
import { type Known, Start } from '../start/start.tsx';
import { Attention, useAttention } from './attention.tsx';
import { CHANGES, Latest, TopAdvocates } from './lists.tsx';
import { Now } from './now.tsx';

const MEASURES = ['revenue', 'commissions', 'clicks', 'signUps', 'paying'] as const;

/** Milliseconds for which the page waits for its numbers, because a new program has "Getting started" in their place. */
const PATIENCE = 1500;

/** How does the program do, and what is there to do? Everything is read in parallel, before the program is known. */
export function Overview() {
  const { api, route } = useDashboard();
  const { range, from, to } = route.filters;
  const balances = useBalances();
  const { lines, isLoading, hasEmails } = useAttention(balances);
  /** True if the numbers show payments, or could not be read. */
  const [isPaying, setPaying] = useState<boolean>();
  const start = useStart(isPaying);
  const isLate = useLate();
  const [top] = useLoaded((signal) => readTop(api, route.filters, signal), [range, from, to]);
  const [latest] = useLoaded(
    async (signal) => (await api.send('get', '/v2/referrals', { query: { per_page: CHANGES }, signal })).body.data,
    [],
  );
  const read: NumbersProps['read'] = async (query, signal) => {
    try {
      const { groups } = (await api.send('get', '/v2/statistics', { query, signal })).body.data.attributes;
      setPaying((last) => last || groups.some(({ paying }) => paying > 0));
      return { groups };
    } catch (error) {
      if (!signal.aborted) setPaying((last) => last ?? true);
      throw error;
    }
  };
  const isKnown = isLate || (isPaying !== undefined && !start.isLoading && !(start.isOpen && isLoading));
  // Nothing moves: what arrives after the numbers stands below them.
  const [hadNumbers, isSettled] = [useRef(false), useRef(false)];
  isSettled.current ||= !isLoading;
  useEffect(() => {
    if (isKnown && !start.isOpen) hadNumbers.current = true;
  }, [isKnown, start.isOpen]);
  const steps = isKnown && start.content(hasEmails);
  return (
    <>
      {!isKnown && <Skeleton lines={3} height={10} />}
      {!hadNumbers.current && steps}
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
        {isSettled.current ? (
          <>
            <Attention lines={lines} />
            <TopAdvocates list={top} />
            <Latest latest={latest} advocates={readyOf(top)?.value ?? []} />
          </>
        ) : (
          <Skeleton lines={3} height={5} />
        )}
      </div>
      {hadNumbers.current && steps}
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

/**
 * "Getting started" of a program without payments or a commission, unless the device remembers that it is hidden. It stays
 * until it is closed or the view is left. Clicks are not needed: some programs only have codes.
 */
function useStart(isPaying: boolean | undefined) {
  const { api, program } = useDashboard();
  const [isClosed, setClosed] = useState(false);
  const [isShown, setShown] = useState(false);
  const [known, setKnown] = useState<Known>({});
  const isEarning = !program || hasTerms(program.attributes);
  const isNeeded = isPaying !== undefined && !(isPaying && isEarning);
  const isHidden = isClosed || (program && remembered(program.id) === 'hidden');
  const isWanted = program !== undefined && !isHidden && (isNeeded || isShown);
  const [loaded, reload] = useLoaded(
    async (signal) => (isWanted ? await readProgress(api, signal) : undefined),
    [isWanted],
    [],
  );
  const progress = readyOf(loaded)?.value;
  const isOpen = isWanted && progress !== undefined && (isShown || !progress.hasPayments || !isEarning);
  useEffect(() => {
    if (isOpen) setShown(true);
  }, [isOpen]);
  const close = () => {
    if (program) remembered(program.id, 'hidden');
    setClosed(true);
    refresh();
    // The pressed button is gone.
    document.querySelector('h1')?.focus();
  };
  return {
    isOpen,
    isLoading: isNeeded && !isHidden && loaded.kind !== 'failed' && !(program && progress),
    /** True before the first visit: then there is nothing else to show. */
    isNew: isOpen && !progress.hasClicks && !progress.hasSignUps && known.script !== 'done',
    content: (hasEmails: boolean) =>
      isOpen && (
        <Start {...{ program, progress, hasEmails, known }} onKnown={setKnown} onChanged={reload} onClose={close} />
      ),
  };
}
