import { ADVOCATE } from './advocate.ts';
import { make } from './dom.ts';
import type { State } from './states.ts';

const { firstName } = ADVOCATE;

/** The next step for a referral in a state. */
export const NEXT: Readonly<Record<State, string>> = {
  clicked: `${firstName} sees the click. Now choose a plan and sign up.`,
  converted: `${firstName} has a new customer. Now simulate the first payment.`,
  paid: 'Now simulate the cancellation, or start over as a new visitor.',
  churned: 'You have seen every step. Simulate another payment, or start over as a new visitor.',
  rejected: 'The merchant rejected this referral. Start over as a new visitor.',
};

const STILL_REFERRED = `The cookie still names ${firstName} as your advocate: sign up, and she earns the commission.`;

export const NO_SCRIPT =
  'The tracking script did not load: your browser may block it. You can sign up, but nobody earns a commission. To see every step, allow /gr.js on this page and reload it.';
export const CLICK_UNDER_WAY =
  'The tracking script has set its cookie and sent the click. Waiting for the response of the service …';
export const LOOKING_FOR_CLICK = `You followed ${firstName}’s link before. Looking for you in her referrals …`;
export const CLICK_FAILED = `The click did not reach the service. The tracking script sends it again on the next page. ${STILL_REFERRED}`;
export const CLICK_IGNORED = `The service classified this browser as a bot and ignored the click. ${STILL_REFERRED}`;
export const CLICK_NOT_LISTED = `Your click is not in ${firstName}’s list. ${STILL_REFERRED}`;
export const PRIVATE =
  'Your browser asks sites not to track you (Global Privacy Control), and the tracking script complies. You can sign up without a referral.';
export const NOT_REFERRED = 'You arrived without an advocate’s link, so nobody earns a commission. ';
export const OTHER_ADVOCATE =
  'Another advocate referred you, so this dashboard does not show you. Sign up, or see every step here: ';
export const UNKNOWN_LINK =
  'No advocate has this link, so nobody earns a commission. Sign up, or see every step here: ';
export const NO_REFERRAL = 'This customer has no referral, so nobody earns a commission. ';
export const SIGN_UP_AGAIN = 'The sign-up failed. Try again, with another email if this one is taken.';
export const NOT_REPORTED =
  'The shop could not report the sign-up. It signed the customer up regardless; a real shop would log the failure and report it again later.';

/** A link to the demo by which the advocate of the panel refers the visitor. */
export function linkToDemo(): HTMLAnchorElement {
  const link = make('a', '', `Follow ${firstName}’s link`);
  link.href = ADVOCATE.link;
  return link;
}
