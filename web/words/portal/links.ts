/** The words of the view "Links", for translators. */

export const label = 'Label';
export const newLink = 'New link';
export const mainLink = 'Your link';
export const otherLabels = 'All others';
export const visitorsOnly =
  'The best first. This counts people whose first click was in this range, and whether they have paid since. Home counts what happened in the range, whenever the click was.';
export const tooMany = 'The range has too many visitors to list them by link. Choose a shorter one.';
export const labelHint = 'A label appears here once somebody has followed its link.';
export const copyLabel = (name: string) => `Copy ${name}`;
export const page = 'Page';
export const pageHint = (host: string) => `Any page of ${host}`;
export const pageExample = '/pricing';
export const labelExample = 'newsletter';
export const made = 'Your new link';
export const faults = {
  invalid: 'This is not an address. Paste the address of a page, or a path such as /pricing.',
  otherSite: 'Your link counts only on the site of the program. Paste an address as the browser shows it there.',
};
export const codes = 'Codes';
export const codesAdvice = 'Customers type them at the checkout.';
export const code = 'Code';
export const inactive = 'Not active';
export const resources = 'Resources';
