interface LinkRules {
  readonly slug: string;
  readonly siteUrl: string;
  readonly linkParameter: string;
}

export type LinkFault = 'invalid' | 'otherSite' | 'credentials' | 'otherScheme' | 'otherPort';

const SUB_ID = 'gr_sub';

/**
 * Returns the advocate's link to a page of the site: an address on its host or below it, or just a path. The parameters
 * for slug and sub id replace values of the same names.
 */
export function deepLink(page: string, subId: string, rules: LinkRules): { link: string } | { fault: LinkFault } {
  const site = new URL(rules.siteUrl);
  const start = page.trim();
  const typedFault = faultWithoutScheme(start, site);
  if (typedFault) return { fault: typedFault };
  const url = resolve(start, site);
  if (!url) return { fault: 'invalid' };
  const fault = faultOf(url, site);
  if (fault) return { fault };
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

/** Endings of files, which a first segment such as `index.html` has in common with a host. */
const FILE = /\.(?:html?|xhtml|php\d?|aspx?|jspx?|cgi|pdf|txt|xml|json|md|jpe?g|png|gif|svg|webp|zip)$/;

/** Returns what is wrong with a page that begins as an address without a scheme, not as a path. */
function faultWithoutScheme(page: string, site: URL): LinkFault | undefined {
  const host = hostWithoutScheme(page);
  if (/^[^@]+@/.test(host)) return 'credentials';
  const isHost = /^(?:[\p{L}\d-]+\.)+\p{L}{2,}$/u.test(host) && !FILE.test(host);
  return isHost && !isOn(host, site) ? 'otherSite' : undefined;
}

function faultOf(url: URL, site: URL): LinkFault | undefined {
  if (url.protocol !== site.protocol) return 'otherScheme';
  if (url.username !== '' || url.password !== '') return 'credentials';
  if (!isOn(url.hostname, site)) return 'otherSite';
  return url.port === site.port ? undefined : 'otherPort';
}

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
