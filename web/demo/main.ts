import { watchTracking } from './tracking.ts';

// Runs before gr.js, so that the page sees whether the script loads and which click it sends.
watchTracking();
// All other modules look up elements of the page when they are loaded.
document.addEventListener('DOMContentLoaded', () => void import('./page.ts'));
