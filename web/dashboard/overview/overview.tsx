import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schemas } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import { readyOf, refresh, useLoaded } from '../../kit/loaded.ts';
import { Numbers, type NumbersProps } from '../../kit/numbers.tsx';
import { periodOf } from '../../kit/period.ts';
import { hasTerms } from '../../kit/rules.ts';
import { Skeleton } from '../../kit/when-ready.tsx';
import * as OVERVIEW from '../../words/dashboard/overview.ts';
import { type Filters, hrefOf, replaceFilters, useDashboard } from '../router.ts';
import { api } from '../service.ts';
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
  const { route } = useDashboard();
  const { range, from, to } = route.filters;
  const balances = useBalances();
  const { lines, isLoading, hasEmails } = useAttention(balances);
  const [seen, setSeen] = useState<number>();
  const start = useStart(seen);
  const isLate = useLate();
  const [top] = useLoaded((signal) => readTop(route.filters, signal), [range, from, to]);
  const [latest] = useLoaded(
    async (signal) => (await api.send('get', '/v2/referrals', { query: { per_page: CHANGES }, signal })).body.data,
    [],
  );
  const read: NumbersProps['read'] = async (query, signal) => {
    try {
      const { groups } = (await api.send('get', '/v2/statistics', { query, signal })).body.data.attributes;
      setSeen((last = 0) => Math.max(last, ...groups.map(seenIn)));
      return { groups };
    } catch (error) {
      if (!signal.aborted) setSeen((last) => last ?? 2);
      throw error;
    }
  };
  const hasStart = isLate || !(start.isLoading || isLoading);
  // Only a program without anything waits for "Getting started".
  const isKnown = isLate || (seen !== undefined && (seen > 0 || hasStart));
  // Nothing moves: what arrives after the numbers stands below them.
  const [hadNumbers, isSettled] = [useRef(false), useRef(false)];
  isSettled.current ||= !isLoading;
  const steps = isKnown && hasStart && start.content(hasEmails);
  const hasNumbers = isKnown && !steps;
  useEffect(() => {
    if (hasNumbers) hadNumbers.current = true;
  }, [hasNumbers]);
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

/** What numbers show: 0 is nothing, 1 something, and 2 payments. */
function seenIn({ clicks, conversions, paying }: Schemas['Statistics']['attributes']['total']): number {
  return paying > 0 ? 2 : clicks + conversions > 0 ? 1 : 0;
}

/** The advocates with the most revenue of a range, or without any, with the most customers. */
async function readTop(filters: Filters, signal: AbortSignal) {
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
 * "Getting started" of a program without payments or a commission. On a device that has shown it, it stays until all six
 * steps are done or it is hidden. Elsewhere, clicks are not needed: some programs only have codes.
 */
function useStart(seen: number | undefined) {
  const { program } = useDashboard();
  const [isClosed, setClosed] = useState(false);
  const [isShown, setShown] = useState(false);
  const [known, setKnown] = useState<Known>({});
  const isEarning = !program || hasTerms(program.attributes);
  const memory = program ? remembered(program.id) : null;
  const isBegun = memory !== null && memory !== 'hidden';
  const isNeeded = seen !== undefined && !(seen === 2 && isEarning && !isBegun);
  const isHidden = isClosed || (memory === 'hidden' && !isShown);
  const isWanted = program !== undefined && !isHidden && (isNeeded || isShown);
  const [loaded, reload] = useLoaded(
    async (signal) => (isWanted ? await readProgress(signal) : undefined),
    [isWanted],
    [],
  );
  const progress = readyOf(loaded)?.value;
  const isOpen = isWanted && progress !== undefined && (isShown || isBegun || !progress.hasPayments || !isEarning);
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
