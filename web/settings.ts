// `currentScript` is only set while the script runs for the first time.
const { dataset: attributes = {}, src = '' }: Partial<HTMLScriptElement> = Object(document.currentScript);

/** The host that serves the script also receives the events, unless the build sets another one. */
export const serviceUrl = BASE_URL || src;
export const publicKey = attributes['pk'];
export const slugParameters = split(attributes['parameters'] || 'via,ref,red,refby');
const days = Number(attributes['cookieDays']);
export const cookieSeconds = Math.floor(days >= 1 ? Math.min(days, 400) : 60) * 86_400;
export const cookieDomains = split(attributes['cookieDomain']);
export const keepsFirst = attributes['attribution'] === 'first';
export const startsWithConsent = attributes['consent'] !== 'required';
/** The listed domains except the page's own: a merchant may use one snippet on all domains. */
export const otherDomains = split(attributes['domains']).filter((domain) => !isWithin(location.hostname, domain));

/** True for the domain itself and its subdomains. */
export function isWithin(host: string, domain: string): boolean {
  return `.${host}`.endsWith(`.${domain.toLowerCase()}`);
}

function split(list = ''): string[] {
  return list.match(/[^\s,]+/g) || [];
}
