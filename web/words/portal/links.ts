/** The words of the view "Links", for translators. */

export const label = 'Label';
export const newLink = 'New link';
export const mainLink = 'Your link';
export const otherLabels = 'All others';
export const labelHint = 'A label appears here once somebody has followed its link.';
export const copyLabel = (name: string) => `Copy ${name}`;
export const page = 'Page';
export const pageHint = (host: string) => `Any page of ${host}`;
export const pageExample = '/pricing';
export const labelExample = 'newsletter';
export const made = 'Your new link';
export const faults = {
  invalid: 'This is not an address. Paste the address of a page, or a path such as /pricing.',
  otherSite: 'This page is on another site, where your link would not count.',
  credentials: 'The address contains a user name or password. Remove it.',
  otherScheme: 'The address must begin as the address of the site does, usually with https://.',
  otherPort: 'The address has another port than the site. Remove it.',
};
export const codes = 'Codes';
export const codesAdvice = 'Customers type them at the checkout.';
export const code = 'Code';
export const copyCode = (name: string) => `Copy ${name}`;
export const inactive = 'Not active';
export const resources = 'Resources';
