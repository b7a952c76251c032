import { advocate, linkOf, openDashboard } from './advocate.ts';
import { countReferrals, listReferrals } from './affiliate.ts';
import { ownReferral, showVisit, welcome } from './arrival.ts';
import { openDeliveries, readDeliveries } from './deliveries.ts';
import { byId } from './dom.ts';
import { openJoining } from './join.ts';
import { lookUpAgain, openMerchant } from './merchant.ts';
import { showFreshness, showReferrals, showTrouble } from './panel.ts';
import { openForm } from './sign-up.ts';
import { adoptState, openAccount } from './subscription.ts';
import { forgetVisitor, getVisitor } from './tracking.ts';

/** Milliseconds between two reads of the dashboard. */
const INTERVAL = 2000;
/** Milliseconds until the panel shows that a response is late. */
const SLOW = 3000;

let isRequested = false;
/** The current read of the dashboard. */
let reading: Promise<void> | undefined;

/** Reads the dashboard. A refresh requested during a read runs after it: that read may be out of date. */
function refresh(): Promise<void> {
  isRequested = true;
  reading ??= readAll();
  return reading;
}

async function readAll(): Promise<void> {
  while (isRequested) {
    isRequested = false;
    await readDashboard();
  }
  reading = undefined;
}

async function readDashboard(): Promise<void> {
  const startedAt = performance.now();
  const { slug } = advocate;
  const late = setTimeout(() => showFreshness('Waiting for the service …', false), SLOW);
  try {
    const counts = await countReferrals();
    const referrals = await listReferrals();
    if (slug !== advocate.slug) return;
    const own = ownReferral(referrals);
    showVisit(referrals);
    adoptState(own, startedAt);
    showReferrals(referrals, counts, own?.id);
  } catch (error) {
    if (slug !== advocate.slug) return;
    showTrouble(`${error instanceof Error ? error.message : error} Trying again every two seconds.`);
  } finally {
    clearTimeout(late);
    // The visitor has joined or signed out since then: this read may have mixed two advocates.
    isRequested ||= slug !== advocate.slug;
  }
}

/** Keeps the dashboard up to date while the page is visible. */
function poll(): void {
  if (document.visibilityState === 'visible' && !reading) void refresh();
}

/** Shows what the visitor changed: to the advocate, to the merchant if it looks at a customer, and as events. */
async function showChange(): Promise<void> {
  await Promise.all([refresh(), lookUpAgain(), readDeliveries()]);
}

document.addEventListener('visibilitychange', poll);
setInterval(poll, INTERVAL);
void refresh();
openDashboard();
openForm(showChange);
openAccount(showChange);
openJoining(refresh);
openMerchant(showChange);
openDeliveries();
byId('start-over', HTMLButtonElement).addEventListener('click', () => {
  forgetVisitor();
  location.assign(linkOf());
});
getVisitor((visitor) => {
  welcome(visitor);
  void refresh();
});
