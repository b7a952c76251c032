import fc from 'fast-check';
import { NotConverted, StateRefused } from '../../../functions/kernel/errors.ts';
import { type Seconds, seconds } from '../../../functions/kernel/time.ts';
import { convertClick, type Referral } from '../../../functions/referrals/rules/referral.ts';
import { erasePerson, reassign, setState } from '../../../functions/referrals/rules/referral-changes.ts';
import { ACTORS, type Actor, STATES, type State } from '../../../functions/referrals/rules/state.ts';
import { attributed } from '../../support/conversion.ts';
import { affiliate, NOW, program } from '../../support/samples.ts';
import { CONVERSION, JOHN } from './situations.ts';

/** A change that is tried. */
export type Step = { readonly to: State | 'erase' | 'convert' | 'move'; readonly by: Actor; readonly now: Seconds };

export const aStep: fc.Arbitrary<Step> = fc.record({
  to: fc.constantFrom(...STATES, 'erase', 'convert', 'move'),
  by: fc.constantFrom(...ACTORS),
  now: fc.integer({ min: NOW - 100, max: NOW + 100 }).map(seconds),
});

/** Applies a step. Returns the same object if the rules refuse it. */
export function apply(referral: Referral, { to, by, now }: Step): Referral {
  try {
    switch (to) {
      case 'erase':
        return erasePerson(referral, by, now);
      case 'convert':
        if (referral.state !== 'clicked') return referral;
        return convertClick(referral, { ...CONVERSION, actor: by, now });
      case 'move':
        return reassign(referral, {
          ...attributed(program, referral.advocateSlug === JOHN.slug ? affiliate : JOHN),
          actor: by,
          now,
        });
      default:
        return setState(referral, to, by, now);
    }
  } catch (error) {
    if (error instanceof StateRefused || error instanceof NotConverted) return referral;
    throw error;
  }
}
