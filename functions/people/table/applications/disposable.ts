import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';

let known: ReadonlySet<string> | undefined;

/**
 * True if an address belongs to a provider of mailboxes that anyone opens for some minutes, by the list of
 * https://github.com/disposable-email-domains/disposable-email-domains. It lists registrable domains, so a subdomain of one
 * counts as well. The list is read at the first call.
 */
export function isDisposable(email: string): boolean {
  known ??= disposableEmailBlocklistSet();
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.');
  return labels.some((_, start) => known?.has(labels.slice(start).join('.')));
}
