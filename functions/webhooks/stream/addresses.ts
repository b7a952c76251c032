import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { DeliveryError } from '../rules/webhook.ts';

/** Resolves a name to all of its addresses; to an empty array if it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/**
 * Limits of a DNS query: the first attempt times out after `timeout` milliseconds, the second and last one after twice
 * that.
 */
const DNS_LIMITS = { timeout: 2000, tries: 2 };
/** No DNS server is asked for this name (RFC 6761 section 6.3). */
const LOCALHOST = { name: 'localhost', addresses: ['127.0.0.1', '::1'] };

/**
 * Returns a function that resolves names by DNS, by default with the servers of this machine. Node's `dns.lookup` would
 * block one of the process's 4 worker threads for each name, so that a few slow DNS servers would block all other names
 * (https://nodejs.org/api/dns.html#implementation-considerations). The hosts file is not read: https needs a public
 * address, and http the name `localhost`.
 */
export function dnsResolver(servers?: readonly string[]): Resolve {
  return async (name) => {
    if (name === LOCALHOST.name) return LOCALHOST.addresses;
    // A new `Resolver` reads this machine's DNS servers (0.03 ms): they change when a laptop joins another network.
    const resolver = new Resolver(DNS_LIMITS);
    if (servers) resolver.setServers(servers);
    const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  };
}

/** Returns whether a connection to an address is allowed. */
export type IsAllowed = (address: string) => boolean;

/** The only IPv6 addresses that IANA has assigned for global unicast (RFC 4291 section 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True if an address is globally reachable: in none of the ranges of the IANA registries of special-purpose addresses,
 * and not multicast (https://www.iana.org/assignments/iana-ipv4-special-registry,
 * https://www.iana.org/assignments/iana-ipv6-special-registry). IPv6 addresses that contain an IPv4 address (mapped,
 * NAT64, 6to4, Teredo) are not, whichever address that is. The few special ranges that are globally reachable, such as
 * anycast for DNS, are also refused: no webhook is there.
 */
export const isPublicAddress: IsAllowed = (address) => {
  // ipaddr.js also parses other forms, such as octal numbers, which other parsers read differently.
  if (!isIP(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
};

/** True if an address is this machine. */
export const isLoopbackAddress: IsAllowed = (address) =>
  isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback';

/**
 * Returns the check of a URL's addresses. https connects to public addresses only; http to loopback addresses only, and
 * only from the local service (`allowLoopback`).
 */
export function allowedAddresses(url: URL, allowLoopback: boolean, isPublic: IsAllowed = isPublicAddress): IsAllowed {
  if (url.protocol === 'https:') return isPublic;
  return allowLoopback && url.protocol === 'http:' ? isLoopbackAddress : () => false;
}

/** Returns the address in a URL, without the brackets of IPv6; `undefined` if the URL has a name. */
export function addressIn({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) ? bare : undefined;
}

/**
 * Resolves the host of a URL, and checks all of its addresses. Returns what is wrong with them, or `undefined`. Every
 * connection checks them again, because names can change.
 */
export async function checkAddresses(
  url: URL,
  allowLoopback: boolean,
  resolve: Resolve = dnsResolver(),
): Promise<Extract<DeliveryError, 'address_refused' | 'name_not_found'> | undefined> {
  const literal = addressIn(url);
  const addresses = literal === undefined ? await resolve(url.hostname).catch(() => []) : [literal];
  if (addresses.length === 0) return 'name_not_found';
  return addresses.every(allowedAddresses(url, allowLoopback)) ? undefined : 'address_refused';
}
