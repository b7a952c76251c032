// An element tells of itself only while its script runs for the first time.
const { dataset: attributes = {}, src = '' }: Partial<HTMLScriptElement> = Object(document.currentScript);

/** The service is where the script came from, unless the build was told another place. */
export const serviceUrl = BASE_URL || src;
export const publicKey = attributes['pk'];
export const slugParameters = wordsOf(attributes['parameters'] || 'via,ref,red');
const days = Number(attributes['cookieDays']);
export const cookieSeconds = Math.floor(days >= 1 ? Math.min(days, 400) : 60) * 86_400;
export const cookieDomains = wordsOf(attributes['cookieDomain']);
export const keepsFirst = attributes['attribution'] === 'first';
export const needsConsent = attributes['consent'] === 'required';
/** One snippet may serve all domains of the merchant: that of this page is none of the others. */
export const otherDomains = wordsOf(attributes['domains']).filter((domain) => !isWithin(location.hostname, domain));

/** True for a domain and for what lies below it. */
export function isWithin(host: string, domain: string): boolean {
  return `.${host}`.endsWith(`.${domain.toLowerCase()}`);
}

function wordsOf(list = ''): string[] {
  return list.match(/[^\s,]+/g) || [];
}
