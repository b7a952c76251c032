import { ADVOCATE, showLink } from './advocate.ts';
import { ownReferral, showVisit, welcome } from './arrival.ts';
import { byId } from './dom.ts';
import { showFreshness, showReferrals, showTrouble } from './panel.ts';
import { listReferrals } from './service.ts';
import { openForm } from './sign-up.ts';
import { adoptState, openAccount } from './subscription.ts';
import { getVisitor, startOver } from './tracking.ts';

/** Milliseconds between two reads of the list. */
const INTERVAL = 2000;
/** Milliseconds until the panel shows that a response is late. */
const SLOW = 3000;

let isReading = false;
let isRequested = false;

/** Reads the list. A refresh requested during a read runs after it: that read may be out of date. */
async function refresh(): Promise<void> {
  isRequested = true;
  if (isReading) return;
  isReading = true;
  while (isRequested) {
    isRequested = false;
    await readList();
  }
  isReading = false;
}

async function readList(): Promise<void> {
  const startedAt = performance.now();
  const late = setTimeout(() => showFreshness('Waiting for the service …', false), SLOW);
  try {
    const referrals = await listReferrals();
    const own = ownReferral(referrals);
    showVisit(referrals);
    adoptState(own, startedAt);
    showReferrals(referrals, own?.id);
  } catch (error) {
    showTrouble(`${error instanceof Error ? error.message : error} Trying again every two seconds.`);
  } finally {
    clearTimeout(late);
  }
}

/** Keeps the list up to date while the page is visible. */
function poll(): void {
  if (document.visibilityState === 'visible' && !isReading) void refresh();
}

document.addEventListener('visibilitychange', poll);
setInterval(poll, INTERVAL);
void refresh();
showLink();
openForm(refresh);
openAccount(refresh);
byId('start-over', HTMLButtonElement).addEventListener('click', () => startOver(ADVOCATE.link));
getVisitor((visitor) => {
  welcome(visitor);
  void refresh();
});
