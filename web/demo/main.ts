import { watchTracking } from './tracking.ts';

// First of all, and before gr.js runs: the page shows what becomes of the script and of the click that it sends.
watchTracking();
// Everything else needs the elements of the page.
document.addEventListener('DOMContentLoaded', () => void import('./page.ts'));
