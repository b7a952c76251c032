import { byId, make } from './dom.ts';
import { showReferrals, showTrouble } from './panel.ts';
import { poll } from './poll.ts';
import { listReferrals, Problem, type Referral } from './service.ts';
import { happened, suggest } from './story.ts';
import { openShop } from './subscription.ts';
import { askVisitor, comeAgain, type Visitor } from './visitor.ts';

const again = byId('again', HTMLButtonElement);
/** The affiliate whose list the panel shows, and the link that she would share. */
const slug = again.dataset['slug'] ?? '';
const link = `/demo?via=${slug}`;

let visitor: Visitor | null = null;
let isClickTold = false;

/** Greets the visitor whom the tracking script found. */
function welcome(found: Visitor | null): void {
  visitor = found;
  byId('gr-id', HTMLInputElement).value = found ? found.grId : '';
  byId('brought-by', HTMLElement).textContent = found ? `Recommended by ${found.slug}` : '';
  if (!found) {
    const come = make('a', '', 'Come by Amara’s link');
    come.href = link;
    const why = navigator.globalPrivacyControl
      ? 'Your browser asks not to be tracked (Global Privacy Control), and the script obeys.'
      : 'You came without an affiliate’s link, so nobody earns a commission. ';
    suggest(why, ...(navigator.globalPrivacyControl ? [] : [come]));
  } else if (found.slug !== slug) {
    isClickTold = true;
    happened({
      what: `Visited by ${found.slug}’s link`,
      outcome: 'not Amara’s',
      state: null,
      call: 'This panel shows the referrals of Amara only',
    });
  }
}

/** Tells of the click as soon as the affiliate's list has it. */
function tellClick(referrals: readonly Referral[]): void {
  const referral = referrals.find(({ id }) => id === visitor?.clickId);
  if (isClickTold || !visitor || !referral) return;
  isClickTold = true;
  const { state } = referral;
  const what = `Visited by ${visitor.slug}’s link`;
  const outcome = state === 'clicked' ? 'click recorded' : state;
  happened({ what, outcome, state, call: 'POST /v2/tracking/click' });
  suggest('Amara sees the click. Now choose a plan and sign up.');
}

async function look(): Promise<void> {
  try {
    const referrals = await listReferrals();
    tellClick(referrals);
    showReferrals(referrals, visitor?.clickId);
  } catch (error) {
    const { message } = error instanceof Problem ? error : new Problem(0, String(error));
    showTrouble(`${message} Trying again every two seconds.`);
  }
}

const lookAgain = poll(look);
openShop(lookAgain);
again.addEventListener('click', () => comeAgain(link));
askVisitor((found) => {
  welcome(found);
  lookAgain();
});
