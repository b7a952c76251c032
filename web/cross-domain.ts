import { isWithin, otherDomains } from './settings.ts';
import { currentGrId } from './visitor.ts';

/** Removes a `gr_id` of another domain from the address bar, so that visitors do not share it with the address. */
export function cleanAddress(): void {
  const address = new URL(location.href);
  if (!otherDomains[0] || !address.searchParams.has('gr_id')) return;
  setGrId(address);
  history.replaceState(history.state, '', address);
}

/**
 * Adds the visitor's `gr_id` to the event's link if it leads to another domain of the merchant. This happens when the
 * link is used, not when the page loads: it covers links added later, and uses the latest `gr_id`.
 */
export function decorateLink(event: Event): void {
  const link = event
    .composedPath()
    // `<area>` elements have the same URL properties as `<a>`.
    .find((node): node is HTMLAnchorElement | HTMLAreaElement => 'hostname' in node);
  if (link && otherDomains.some((domain) => isWithin(link.hostname, domain))) setGrId(link, currentGrId());
}

/** Sets or removes `gr_id` in a query. Other parameters keep their encoding, which URLSearchParams would change. */
function setGrId(address: { search: string }, grId?: string): void {
  const others = address.search.split('&').filter((pair) => pair && !new URLSearchParams(pair).has('gr_id'));
  if (grId) others.push(`gr_id=${grId}`);
  address.search = others.join('&');
}
