import { ownOf, tellVisit, welcome } from './arrival.ts';
import { byId } from './dom.ts';
import { showReferrals, showTrouble } from './panel.ts';
import { poll } from './poll.ts';
import { listReferrals, Problem } from './service.ts';
import { openShop } from './subscription.ts';
import { askVisitor, comeAgain } from './visitor.ts';

const again = byId('again', HTMLButtonElement);
/** The affiliate whose list the panel shows, and the link that she would share. */
const slug = again.dataset['slug'] ?? '';
const link = `/demo?via=${slug}`;

async function look(): Promise<void> {
  try {
    const referrals = await listReferrals();
    tellVisit(referrals);
    showReferrals(referrals, ownOf(referrals)?.id);
  } catch (error) {
    const { message } = error instanceof Problem ? error : new Problem(0, String(error));
    showTrouble(`${message} Trying again every two seconds.`);
  }
}

const lookAgain = poll(look);
openShop(link, lookAgain);
again.addEventListener('click', () => comeAgain(link));
askVisitor((found) => {
  welcome(found, slug, link);
  lookAgain();
});
