import { billing } from './billing.ts';
import { bookkeeper } from './bookkeeper.ts';
import { type CallerContext, NoAnswer } from './caller.ts';
import { competitor } from './competitor.ts';
import { importer } from './importer.ts';
import { manager } from './manager.ts';
import { merchant } from './merchant.ts';
import { operator } from './operator.ts';
import { owner } from './owner.ts';
import { reader } from './reader.ts';
import { stripe } from './stripe.ts';
import { visitor } from './visitor.ts';

/** By turns. Their number is no multiple of the number of programs, so that each program has callers of each kind. */
const KINDS = [
  ...[merchant, stripe, competitor, manager, operator, merchant, visitor, importer, competitor, reader],
  ...[owner, billing, bookkeeper],
];
/** The fewest callers among whom each kind is. */
export const ALL_KINDS: number = KINDS.length;

/** Starts callers. They end once `isOver` is true. */
export async function startCallers(
  context: Omit<CallerContext, 'index' | 'name'>,
  { seed, callers, part }: { readonly seed: number; readonly callers: number; readonly part: number },
): Promise<void> {
  const all = Array.from({ length: callers }, async (_, index) => {
    // Worlds with few callers have different ones.
    const kind = (index + seed) % KINDS.length;
    const round = Math.floor(index / (KINDS.length * context.shops.length));
    const name = `c${kind}-${part}-${round}`;
    await KINDS[kind]?.({ ...context, index, name }).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error;
    });
  });
  await Promise.all(all);
}
