import {
  InternalServerError,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Network } from './fake/client.ts';
import type { World } from './world.ts';

/** Faults, each with its probability per request to the table, unless its name says otherwise. */
export const FAULTS = {
  /** The response is lost after the request was carried out. */
  lostResponse: 0.01,
  /** The request is lost before it reaches the table. */
  lostRequest: 0.005,
  /** The table does not respond before the SDK's time limit. */
  hang: 0.001,
  throttle: 0.005,
  serverError: 0.005,
  conflict: 0.01,
  /** The function ends between two requests. */
  crash: 0.003,
  /** An eventually consistent read, or a query of an index, misses the last writes. */
  stale: 0.2,
  /** Queue or bus of events refuses messages, some of them, or stores them although it reports an error. */
  queue: 0.03,
  /** The stream passes records late, passes some again, or a shard of it splits. */
  late: 0.05,
  repeat: 0.02,
  split: 0.002,
  /** A receiver of events fails, hangs, or its response is lost. */
  receiver: 0.1,
  /** The mailbox refuses an email, gives no answer, or `mail` ends before the answer. */
  mailbox: 0.1,
  /** The clock of a function jumps, per request to the function. */
  clockJump: 0.002,
} as const;

export type Fault = keyof typeof FAULTS;
export type FaultRates = Readonly<Record<Fault, number>>;

/** No faults. */
export const NONE: FaultRates = Object.fromEntries(Object.keys(FAULTS).map((name) => [name, 0])) as FaultRates;

/**
 * Each interval starts with a storm, in milliseconds: by turns, most requests suffer a fault, or writes conflict until
 * their deadline.
 */
const STORM_INTERVAL = 120_000;
const STORM = 12_000;
const STORM_SHIFT = 49_000;
const STORM_FACTOR = 40;
const CONFLICT_FACTOR = 97;

/** The SDK gives up one attempt after this time (`FUNCTION_LIMITS` in `connection.ts`), in milliseconds. */
const SDK_LIMIT = 1000;

/** What the network of one function needs to know about it. */
export interface Process {
  readonly isAlive: () => boolean;
  readonly crash: () => void;
}

/** Counts the faults that happened. */
export type FaultCounts = Record<Fault, number>;

/**
 * Replaces what the functions take from their process: `AbortSignal.timeout`, whose timers are real, by a signal that
 * `deadlineOf` reads, and the log by a function. Returns a function that restores everything.
 */
export function simulateProcess(world: World, log: (entry: unknown) => void): () => void {
  const { timeout } = AbortSignal;
  const { error } = console;
  const { stackTraceLimit } = Error;
  const { isTTY } = process.stderr;
  // Nobody reads the stack of a simulated error, and capturing it takes time.
  Error.stackTraceLimit = 0;
  // Commands show no progress.
  process.stderr.isTTY = false;
  AbortSignal.timeout = (limit) => ({ deadline: world.now() + limit }) as never;
  console.error = log;
  return () => {
    AbortSignal.timeout = timeout;
    console.error = error;
    Error.stackTraceLimit = stackTraceLimit;
    process.stderr.isTTY = isTTY;
  };
}

const deadlineOf = (signal: AbortSignal | undefined): number =>
  signal && 'deadline' in signal ? Number(signal.deadline) : Number.POSITIVE_INFINITY;

/** The network between one function and the table. */
export function faultyNetwork(world: World, rates: FaultRates, counts: FaultCounts, process: Process): Network {
  const { chance } = world;
  // Worlds are short, so each starts at another moment between two storms.
  const beginning = world.seed * STORM_SHIFT;
  const rateOf = (fault: Fault) => {
    const time = world.now() + beginning;
    if (time % STORM_INTERVAL >= STORM) return rates[fault];
    if (Math.floor(time / STORM_INTERVAL) % 2 === 0) return rates[fault] * STORM_FACTOR;
    return fault === 'conflict' ? rates[fault] * CONFLICT_FACTOR : rates[fault];
  };
  const occurs = (fault: Fault) => {
    const happens = chance.happens(rateOf(fault));
    if (happens) counts[fault] += 1;
    return happens;
  };
  /** Waits, at most until the deadline. A function that ends meanwhile never continues. */
  const travel = async (duration: number, deadline: number) => {
    const left = deadline - world.now();
    await world.pause(Math.min(duration, Math.max(left, 0)));
    if (!process.isAlive()) await new Promise(() => undefined);
    if (left <= duration) throw Object.assign(new Error('aborted'), { name: 'AbortError' });
  };
  return {
    isStale: () => occurs('stale'),
    request: async (run, command, signal) => {
      const deadline = deadlineOf(signal);
      await travel(1 + chance.below(10), deadline);
      if (occurs('crash')) {
        process.crash();
        await travel(0, deadline);
      }
      if (occurs('hang')) {
        await travel(SDK_LIMIT, deadline);
        throw retryable(Object.assign(new Error('timeout'), { name: 'TimeoutError' }));
      }
      if (occurs('lostRequest')) throw retryable(Object.assign(new Error('lost'), { code: 'ECONNRESET' }));
      if (occurs('throttle')) throw retryable(new ProvisionedThroughputExceededException(DETAILS));
      if (occurs('serverError')) throw retryable(new InternalServerError(DETAILS));
      const conflict = conflictOf(command);
      if (conflict && occurs('conflict')) throw conflict();
      const result = run();
      await travel(1 + chance.below(10), deadline);
      if (occurs('lostResponse')) throw retryable(Object.assign(new Error('lost'), { code: 'ECONNRESET' }));
      return result;
    },
  };
}

const DETAILS = { message: 'simulated', $metadata: {} };

function retryable(error: Error): Error {
  return Object.assign(error, { $retryable: {} });
}

/** Returns the error of a write whose item another transaction holds; `undefined` for a read. */
function conflictOf(command: unknown): (() => Error) | undefined {
  if (command instanceof PutCommand || command instanceof UpdateCommand) {
    return () => new TransactionConflictException(DETAILS);
  }
  if (!(command instanceof TransactWriteCommand)) return undefined;
  const CancellationReasons = [{ Code: 'TransactionConflict' }];
  return () => new TransactionCanceledException({ ...DETAILS, CancellationReasons });
}
