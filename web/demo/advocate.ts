import { byId } from './dom.ts';

const { slug = '', name = '' } = byId('advocate', HTMLElement).dataset;
const [firstName = ''] = name.split(' ');

/** The advocate whose dashboard the page shows. */
export const ADVOCATE = {
  slug,
  name,
  firstName,
  /** The advocate's referral link. In the demo it leads to this page. */
  link: new URL(`/demo?via=${slug}`, location.href).href,
};

/** Shows the advocate's link and activates its copy button. */
export function showLink(): void {
  const field = byId('link', HTMLInputElement);
  const status = byId('link-status', HTMLElement);
  field.value = ADVOCATE.link;
  byId('copy', HTMLButtonElement).addEventListener('click', async () => {
    // Emptied first, so that screen readers announce a second copy too.
    status.textContent = '';
    try {
      await navigator.clipboard.writeText(field.value);
      status.textContent = 'Link copied.';
    } catch {
      field.select();
      status.textContent = 'The browser does not allow copying. The link is selected: press Ctrl+C or ⌘C.';
    }
  });
}
