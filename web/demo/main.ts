import { showArrival } from './arrival.ts';
import { byId } from './dom.ts';
import { openJoining } from './join.ts';
import { openShop } from './shop.ts';
import { forgetVisitor, linkOf, state, watchTracking } from './state.ts';

// The element of gr.js follows this script, so that the page sees whether it loads and which click it sends.
watchTracking();
openShop();
openJoining();
showArrival();
byId('start-over', HTMLButtonElement).addEventListener('click', () => {
  forgetVisitor();
  location.assign(linkOf(state.advocate));
});
