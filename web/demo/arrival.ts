import { ADVOCATE } from './advocate.ts';
import { byId } from './dom.ts';
import {
  CLICK_FAILED,
  CLICK_IGNORED,
  CLICK_NOT_LISTED,
  CLICK_UNDER_WAY,
  LOOKING_FOR_CLICK,
  linkToDemo,
  NEXT,
  NO_SCRIPT,
  NOT_REFERRED,
  OTHER_ADVOCATE,
  PRIVATE,
  UNKNOWN_LINK,
} from './hints.ts';
import type { Referral } from './service.ts';
import { addStep, beginStep, type Outcome, suggest } from './steps.ts';
import { hasBegun, isCustomer, reopen } from './subscription.ts';
import { type ClickResult, scriptEnd, sentClick } from './tracking.ts';
import type { Visitor } from './visitor.ts';

const CLICK = 'POST /v2/tracking/click';
const LIST = 'GET /v1/affiliate/referrals?state_eq=clicked';
const CLICK_TEXTS: Readonly<Record<ClickResult, string>> = {
  recorded: 'click recorded',
  ignored: 'click ignored',
  unknown: 'no advocate has this link',
  failed: 'click not recorded',
};

/** `undefined` until the tracking script has reported one, or none. */
let visitor: Visitor | null | undefined;
/** True once the story shows how the visit ended. The list may then only add that the visitor is a customer. */
let isShown = false;

// The script reports the visitor before its element's `load` event, unless something has replaced it.
void scriptEnd.then(() => {
  if (visitor === undefined && !document.prerendering) suggest(NO_SCRIPT);
});

/** Greets the visitor that the tracking script found, and follows the click that it sent. */
export function welcome(found: Visitor | null): void {
  visitor = found;
  const by = found?.slug === ADVOCATE.slug ? ADVOCATE.name : found?.slug;
  byId('referred-by', HTMLElement).textContent = by ? `Recommended by ${by}` : '';
  const click = sentClick();
  if (!found) {
    if (navigator.globalPrivacyControl) suggest(PRIVATE);
    else suggest(NOT_REFERRED, linkToDemo());
  } else if (click) {
    const settle = beginStep(titleOf(found), CLICK);
    suggest(CLICK_UNDER_WAY);
    void click.result.then((result) => showClick(found, result, settle));
  } else if (isHers(found)) {
    suggest(LOOKING_FOR_CLICK);
  } else {
    addStep(titleOf(found), { text: 'remembered', state: 'clicked', call: 'Cookie gr_id' });
    suggest(OTHER_ADVOCATE, linkToDemo());
  }
}

/** The visitor's own referral. If the click was lost it has another id, and the email identifies it. */
export function ownReferral(referrals: readonly Referral[]): Referral | undefined {
  return referrals.find(({ id, email }) => id === visitor?.clickId || isCustomer(email));
}

/**
 * Shows what the advocate's list says of the visit. If this page has sent the click, its response decides, however
 * long it takes; a list may have been read before.
 */
export function showVisit(referrals: readonly Referral[]): void {
  if (!visitor || !isHers(visitor) || hasBegun()) return;
  const referral = ownReferral(referrals);
  if (referral && referral.state !== 'clicked' && referral.email !== null) {
    isShown = true;
    reopen(referral.email, referral.state);
  } else if (!isShown && !sentClick()) {
    isShown = true;
    const state = referral?.state ?? null;
    addStep(titleOf(visitor), { text: textOf(state), state, call: referral ? CLICK : LIST });
    suggest(state ? NEXT[state] : CLICK_NOT_LISTED);
  }
}

function textOf(state: Referral['state'] | null): string {
  if (state === null) return 'not in her list';
  return state === 'clicked' ? 'click recorded' : state;
}

function showClick(found: Visitor, result: ClickResult, settle: (outcome: Outcome) => void): void {
  const isRecorded = result === 'recorded';
  settle({ text: CLICK_TEXTS[result], state: isRecorded ? 'clicked' : null, call: CLICK });
  // A visitor who signs up meanwhile is further on.
  if (isShown || hasBegun()) return;
  isShown = true;
  if (result === 'unknown') suggest(UNKNOWN_LINK, linkToDemo());
  else if (!isHers(found)) suggest(OTHER_ADVOCATE, linkToDemo());
  else if (isRecorded) suggest(NEXT.clicked);
  else suggest(result === 'ignored' ? CLICK_IGNORED : CLICK_FAILED);
}

function isHers({ slug }: Visitor): boolean {
  return slug === ADVOCATE.slug;
}

function titleOf({ slug }: Visitor): string {
  return `Followed ${slug === ADVOCATE.slug ? ADVOCATE.firstName : slug}’s link`;
}
