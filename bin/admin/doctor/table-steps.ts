import type { CliContext } from '../cli.ts';
import { toExit } from '../errors.ts';
import { StepFailure } from './failure.ts';
import { LIFE_MINUTES, removeLeftBehind, removeThrowAway, storeThrowAway, type ThrowAway } from './program.ts';
import type { Step } from './run.ts';

/** The steps that work on the table itself: what stores the throw-away program, and what removes it at the end. */
export function tableSteps(
  throwAway: ThrowAway,
  { onTable }: CliContext,
): { readonly prepare: readonly Step[]; readonly cleanUp: Step } {
  const { program, programToken, affiliateToken } = throwAway;
  let mayBeStored = false;
  const leftovers: Step = {
    name: 'leftovers',
    what: 'remove what earlier runs left in the table',
    needs: [],
    run: async () => {
      const count = await onTable(removeLeftBehind);
      return count === 0 ? 'earlier runs left nothing' : `removed what earlier runs left (${count})`;
    },
  };
  const store: Step = {
    name: 'throw-away program',
    what: 'store a program with one advocate and two tokens',
    needs: ['script', 'leftovers'],
    run: async () => {
      mayBeStored = true;
      await onTable((table) => storeThrowAway(table, throwAway));
      return 'a program with one advocate and two tokens is stored';
    },
  };
  const cleanUp: Step = {
    name: 'clean-up',
    what: 'remove the throw-away program',
    needs: [],
    always: true,
    run: async () => {
      if (!mayBeStored) return 'nothing was stored';
      const tokens = [programToken, affiliateToken];
      try {
        await onTable((table) => removeThrowAway(table, program, tokens));
      } catch (error) {
        throw new StepFailure(
          toExit(error).sentence ?? '',
          `The program ${program.id} and what was made in it stay in the table; its tokens end after ${LIFE_MINUTES} minutes. Once the table can be reached, run doctor again: it removes them.`,
          { cause: error },
        );
      }
      return 'all that was stored is removed';
    },
  };
  return { prepare: [leftovers, store], cleanUp };
}
