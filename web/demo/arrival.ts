import { byId } from './dom.ts';
import {
  LOOKING_FOR_CLICK,
  linkTo,
  NEXT,
  NO_CLICK,
  NO_SCRIPT,
  NOBODY,
  PRIVATE,
  SOMEONE_ELSE,
} from './hints.ts';
import type { Referral } from './service.ts';
import { happened, suggest } from './story.ts';
import { isCustomer, mayReopen, reopen } from './subscription.ts';
import type { Visitor } from './visitor.ts';

/** Milliseconds after which a look that finds nothing is told: one look may have been too early. */
const PATIENCE = 1500;
const CALL = 'POST /v2/tracking/click';

/** `undefined` until the tracking script has answered. */
let visitor: Visitor | null | undefined;
let since = performance.now();
let isTold = false;
let isMissingTold = false;

/** Greets the visitor whom the tracking script found. `slug` is the affiliate whose list the panel shows. */
export function welcome(found: Visitor | null, slug: string, link: string): void {
  visitor = found;
  since = performance.now();
  isMissingTold = false;
  byId('brought-by', HTMLElement).textContent = found ? `Recommended by ${found.slug}` : '';
  if (!found) {
    if (navigator.globalPrivacyControl) suggest(PRIVATE);
    else suggest(NOBODY, linkTo(link));
  } else if (found.slug === slug) {
    suggest(LOOKING_FOR_CLICK);
  } else {
    isTold = true;
    happened({
      what: visitOf(found),
      outcome: 'not Amara’s',
      state: null,
      call: 'This panel shows the referrals of Amara only',
    });
    suggest(SOMEONE_ELSE, linkTo(link));
  }
}

/** The referral that this visitor is. Where the click was lost it has another id, and the e-mail tells. */
export function ownOf(referrals: readonly Referral[]): Referral | undefined {
  return referrals.find(({ id, email }) => id === visitor?.clickId || isCustomer(email));
}

/** Tells what has become of the visit, as soon as the affiliate's list shows it, or shows that it does not. */
export function tellVisit(referrals: readonly Referral[]): void {
  // Whoever signs up is further on.
  if (isTold || visitor === null || !mayReopen()) return;
  const referral = ownOf(referrals);
  if (visitor && referral) tellReferral(visitor, referral);
  else if (!isMissingTold && performance.now() - since > PATIENCE) tellMissing(visitor);
}

function tellReferral(found: Visitor, { email, state }: Referral): void {
  isTold = true;
  if (email !== null && state !== 'clicked') {
    reopen(email, state);
  } else {
    const outcome = state === 'clicked' ? 'click recorded' : state;
    happened({ what: visitOf(found), outcome, state, call: CALL });
    suggest(NEXT[state]);
  }
}

function tellMissing(found: Visitor | undefined): void {
  isMissingTold = true;
  if (found) happened({ what: visitOf(found), outcome: 'click not recorded', state: null, call: CALL });
  suggest(found ? NO_CLICK : NO_SCRIPT);
}

function visitOf({ slug }: Visitor): string {
  return `Visited by ${slug}’s link`;
}
