import { isWithin, otherDomains } from './settings.ts';
import { currentGrId } from './visitor.ts';

/** Takes the `gr_id` that was handed over out of the address bar, so that nobody passes it on with the address. */
export function cleanAddress(): void {
  const address = new URL(location.href);
  setGrId(address);
  history.replaceState(history.state, '', address);
}

/**
 * Hands the visitor's `gr_id` over by the link that an event is about, where it leads to another domain of the merchant.
 * Done when the link is used: so it holds for links that the page makes later, and for what is known by then.
 */
export function prepareLink(event: Event): void {
  const link = event
    .composedPath()
    // `<area>` has the parts of an address too.
    .find((node): node is HTMLAnchorElement | HTMLAreaElement => 'hostname' in node);
  if (link && otherDomains.some((domain) => isWithin(link.hostname, domain))) setGrId(link, currentGrId());
}

/** Leaves one `gr_id` or none in a query, and the rest as it was written: URLSearchParams would encode it anew. */
function setGrId(address: { search: string }, grId?: string): void {
  const others = address.search
    .slice(1)
    .split('&')
    .filter((pair) => pair && !new URLSearchParams(pair).has('gr_id'));
  if (grId) others.push(`gr_id=${grId}`);
  address.search = others.join('&');
}
