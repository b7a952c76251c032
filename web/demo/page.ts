import { ADVOCATE } from './advocate.ts';
import { ownReferral, showVisit, welcome } from './arrival.ts';
import { byId } from './dom.ts';
import { showReferrals, showTrouble, showWaiting } from './panel.ts';
import { poll } from './poll.ts';
import { listReferrals, problemOf } from './service.ts';
import { openLink } from './share.ts';
import { openForm } from './sign-up.ts';
import { adoptState, openAccount } from './subscription.ts';
import { askVisitor, startOver } from './visitor.ts';

/** Milliseconds after which a response that is still missing shows as such. */
const SLOW = 3000;

async function look(): Promise<void> {
  const startedAt = performance.now();
  const timer = setTimeout(showWaiting, SLOW);
  try {
    const referrals = await listReferrals();
    const own = ownReferral(referrals);
    showVisit(referrals);
    adoptState(own, startedAt);
    showReferrals(referrals, own?.id);
  } catch (error) {
    showTrouble(`${problemOf(error).message} Trying again every two seconds.`);
  } finally {
    clearTimeout(timer);
  }
}

const lookAgain = poll(look);
openLink();
openForm(lookAgain);
openAccount(lookAgain);
byId('start-over', HTMLButtonElement).addEventListener('click', () => startOver(ADVOCATE.link));
askVisitor((found) => {
  welcome(found);
  lookAgain();
});
