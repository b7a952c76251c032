interface LinkRules {
  readonly slug: string;
  readonly siteUrl: string;
  readonly linkParameter: string;
}

export type LinkFault = 'invalid' | 'otherSite';

const SUB_ID = 'gr_sub';

/**
 * Returns the advocate's link to a page of the site: an address on its host or below it, or just a path. The parameters
 * for slug and sub id replace values of the same names.
 */
export function deepLink(page: string, subId: string, rules: LinkRules): { link: string } | { fault: LinkFault } {
  const site = new URL(rules.siteUrl);
  const start = page.trim();
  const url = resolve(start, site);
  if (isOtherHost(start, site) || (url && isElsewhere(url, site))) return { fault: 'otherSite' };
  if (!url) return { fault: 'invalid' };
  const parameters = [[rules.linkParameter, rules.slug], ...(subId === '' ? [] : [[SUB_ID, subId.toWellFormed()]])];
  const names = parameters.map(([name]) => name);
  // The other parameters stay as they were written.
  const others = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !names.includes(nameOf(pair)));
  const own = parameters.map((pair) => pair.map(encodeURIComponent).join('='));
  url.search = [...others, ...own].join('&');
  return { link: url.href };
}

function resolve(page: string, site: URL): URL | null {
  if (page === '') return new URL(site);
  // People copy addresses without the scheme.
  if (isOn(hostWithoutScheme(page), site)) return URL.parse(`${site.protocol}//${page}`);
  return URL.parse(page, site.href);
}

/** The first segment without a port: the host of an address without a scheme. */
function hostWithoutScheme(page: string): string {
  const segment = page.split(/[/?#\\]/, 1)[0] ?? '';
  return segment.toLowerCase().replace(/:\d+$/, '');
}

/** True for a page that begins as an address of another host, or with a user name. Alone, `index.html` is a path. */
const isOtherHost = (page: string, site: URL) =>
  /^([^@/?#]+@|([\p{L}\d-]+\.)+\p{L}{2,}[:/])/u.test(page) && !isOn(hostWithoutScheme(page), site);

/** True for a page on which the advocate's link would not count, or one that shows a user name. */
const isElsewhere = (url: URL, site: URL) =>
  url.protocol !== site.protocol || url.username !== '' || !isOn(url.hostname, site) || url.port !== site.port;

/** True for the site's host without `www.`, and for hosts below it. */
function isOn(host: string, site: URL): boolean {
  const base = site.hostname.replace(/^www\./, '');
  return host === base || host.endsWith(`.${base}`);
}

function nameOf(pair: string): string {
  const name = pair.split('=', 1)[0] ?? '';
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
