import { ApiError } from '../../kit/api-error.ts';
import type * as PAYOUTS from '../../words/dashboard/payouts.ts';
import { isUnanswered } from '../form-dialog.tsx';
import { nameOf as nameOfPerson } from '../person.tsx';
import { api } from '../service.ts';
import { type Balance, readDue } from './balances.ts';

/** A payout run in one currency. */
export interface Run {
  readonly run: string;
  readonly currency: string;
}

/** An advocate in a payout. */
export interface Line {
  readonly slug: string;
  readonly name: string;
  readonly method: string | null;
  /** What was due when it was last read; once it is recorded, what was recorded. */
  readonly amount: number;
  /** The amount that was shown before, if it was another one. */
  readonly before: number | undefined;
  /** `unanswered` is sent again without a look at what is due: the service may have recorded it. */
  readonly state: keyof typeof PAYOUTS.RESULTS;
  /** Why it was left out. */
  readonly reason?: keyof typeof PAYOUTS.NOT_PAID | undefined;
}

/** The most advocates that a request pays. */
const PER_REQUEST = 50;

/** The refusals that may come after a part of a request was paid. */
const AFTER_A_PART = ['invalid_affiliate_slug', 'settlement_exists'];

/** The advocates of whom it is read together what is due. */
const READ_TOGETHER = 5;

/** The advocate's name, or the name of its link. */
export const nameOf = ({ id, attributes }: Balance) => nameOfPerson({ ...attributes, slug: id });

export const newLine = (row: Balance): Line => ({
  slug: row.id,
  name: nameOf(row),
  method: row.attributes.payout_method,
  amount: row.attributes.payable,
  before: undefined,
  state: 'open',
});

/** True once the service has said what it paid. */
export const isRecorded = ({ state }: Line) => state === 'settled' || state === 'settled_before';

/** The lines that a payout pays, or has paid. */
export const isPaid = ({ state }: Line) => state !== 'left_out';

/** True if the outcome is not known yet. */
export const isOpen = (line: Line) => isPaid(line) && !isRecorded(line);

interface Recorder {
  readonly show: (lines: readonly Line[]) => void;
  /** True if nobody waits for the rest: then no further request is sent. */
  readonly isClosed: () => boolean;
}

/**
 * Records the lines of a run that are not recorded yet, and shows them after each step. What is due is read again before
 * it is recorded: if it has changed, the new amounts are shown, and nothing else is recorded until the next call. Throws
 * what the API throws; then the next call goes on, and pays nobody twice.
 */
export async function recordRun(run: Run, given: readonly Line[], { show, isClosed }: Recorder): Promise<void> {
  let lines = given;
  const replace = (changed: readonly Line[]) => {
    const bySlug = new Map(changed.map((line) => [line.slug, line]));
    lines = lines.map((line) => bySlug.get(line.slug) ?? line);
    show(lines);
  };
  const payAll = async (some: readonly Line[]) => {
    for (let start = 0; start < some.length && !isClosed(); start += PER_REQUEST) {
      await pay(run, some.slice(start, start + PER_REQUEST), replace);
    }
  };
  await payAll(lines.filter(({ state }) => state === 'unanswered'));
  const open = lines.filter(({ state }) => state === 'open');
  if (open.length === 0) return;
  const now = await readAgain(run.currency, open);
  replace(now);
  if (now.every(({ before }) => before === undefined)) await payAll(now);
}

/**
 * Reads what is due now, of each advocate alone: the list may miss who moves in it. An advocate to whom nothing is due is
 * left out.
 */
async function readAgain(currency: string, lines: readonly Line[]): Promise<Line[]> {
  const read: Line[] = [];
  for (let start = 0; start < lines.length; start += READ_TOGETHER) {
    const some = lines.slice(start, start + READ_TOGETHER).map(async (line): Promise<Line> => {
      const due = (await readDue(api, line.slug)).find((sums) => sums.currency === currency)?.payable ?? 0;
      if (due === line.amount) return { ...line, before: undefined };
      const changed = { ...line, amount: Math.max(0, due), before: line.amount };
      return due > 0 ? changed : { ...changed, state: 'left_out', reason: 'nothing_payable' };
    });
    read.push(...(await Promise.all(some)));
  }
  return read;
}

async function pay(run: Run, lines: readonly Line[], show: (lines: readonly Line[]) => void): Promise<void> {
  show(lines.map((line) => ({ ...line, state: 'sending' })));
  try {
    const body = { ...run, slugs: lines.map(({ slug }) => slug) };
    const { data } = (await api.send('post', '/v2/payout-runs', { body, isRepeatable: true })).body;
    const settled = new Map(data.attributes.settled.map((each) => [each.affiliate_slug, each]));
    const leftOut = new Map(data.attributes.left_out.map((each) => [each.affiliate_slug, each.reason]));
    show(
      lines.map((line) => {
        const found = settled.get(line.slug);
        if (!found) return { ...line, state: 'left_out', reason: leftOut.get(line.slug) };
        const { amount, was_settled } = found;
        // The service pays what is due when it records.
        const before = amount === line.amount ? undefined : line.amount;
        return { ...line, amount, before, state: was_settled ? 'settled_before' : 'settled' };
      }),
    );
  } catch (error) {
    const mayBePaid = isUnanswered(error) || (error instanceof ApiError && AFTER_A_PART.includes(error.code ?? ''));
    // What is due says nothing about who may be paid already: the service has to say it.
    show(lines.map((line) => ({ ...line, state: mayBePaid || line.state === 'unanswered' ? 'unanswered' : 'open' })));
    throw error;
  }
}
