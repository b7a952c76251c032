import { byId } from './dom.ts';

/** Milliseconds until the service has counted a change in its statistics. */
const COUNTED = 2000;

const portal = byId('portal', HTMLIFrameElement);
const dashboard = byId('dashboard', HTMLIFrameElement);
// Not by `src`: "Back" would restore the addresses that the pages have left, which are without tokens.
for (const { contentWindow, dataset } of [portal, dashboard]) contentWindow?.location.replace(dataset['address'] ?? '');

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Shows a change in both pages: presses their button "Refresh", as a person would, so that neither loses its view. The
 * statistics follow a moment later.
 */
export function refreshFrames(): void {
  clearTimeout(timer);
  pressRefresh();
  timer = setTimeout(pressRefresh, COUNTED);
}

function pressRefresh(): void {
  for (const { contentDocument } of [portal, dashboard]) {
    const buttons = [...(contentDocument?.querySelectorAll('button') ?? [])];
    buttons.find(({ textContent }) => textContent === 'Refresh')?.click();
  }
}

/** Opens the page of another advocate. The query makes the frame load the page: it would ask about a token alone. */
export function openPortal(slug: string, token: string): void {
  portal.contentWindow?.location.replace(`/portal?advocate=${slug}#token=${token}`);
}
