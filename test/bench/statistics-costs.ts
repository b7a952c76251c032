import { PRICES } from './prices.ts';

// What statistics cost depends on how many changes share a batch: a batch is what happens on a shard in a minute.

/** Shards of the stream. A new table on demand has about as many. */
const SHARDS = 4;
const MINUTES = 60 * 24 * 30;
/** Windows of 15 minutes that end, each with an invocation. */
const WINDOW_ENDS = (MINUTES / 15) * SHARDS;
/** Of an invocation, and gigabytes of memory: assumptions as in `costs.ts`. */
const MILLISECONDS = 30;
const MEMORY = 0.5;
/** Bytes of a program's line of metrics in the log. */
const METRIC_LINE = 300;
/** Write units of the position, and of an item of sums: 2 up to 1 KB, 4 up to 2 KB (`test/capacity`). */
const POSITION_UNITS = 2;
/** Write units of the totals of an advocate or of the program. */
const TOTAL_UNITS = 2;

interface Load {
  readonly clicks: number;
  readonly advocates: number;
  readonly sumUnits: number;
}

/** What the statistics of a month cost. */
export function statisticsDollars(load: Load): number {
  const { batches, writeUnits } = usageOf(load);
  return (
    writeUnits * PRICES.writeUnit +
    batches * PRICES.readUnit +
    (batches + WINDOW_ENDS) * (PRICES.lambdaRequest + MEMORY * (MILLISECONDS / 1000) * PRICES.lambdaGigabyteSecond) +
    ((batches * METRIC_LINE) / 1_000_000_000) * PRICES.logGigabyte
  );
}

/** The batches and the write units of a month. Clicks arrive independently, so that their numbers follow Poisson. */
function usageOf({ clicks, advocates, sumUnits }: Load): { batches: number; writeUnits: number } {
  const inBatch = clicks / MINUTES / SHARDS;
  const hasAny = (mean: number) => 1 - Math.exp(-mean);
  const ofAdvocates = advocates * hasAny(inBatch / advocates);
  // The position, and a day and the totals of the program and of each advocate.
  const ofOne = sumUnits + TOTAL_UNITS;
  const units = (POSITION_UNITS + ofOne) * hasAny(inBatch) + ofOne * ofAdvocates;
  // A batch has at most 1,000 records. More of them cost the position and the sums again.
  const parts = Math.max(1, inBatch / 1000);
  return { batches: MINUTES * SHARDS * hasAny(inBatch) * parts, writeUnits: MINUTES * SHARDS * units * parts };
}
