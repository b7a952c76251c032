import { byId } from './dom.ts';
import { emptyDashboard } from './panel.ts';
import { forgetVisitor } from './tracking.ts';

export interface Advocate {
  readonly slug: string;
  readonly firstName: string;
  readonly lastName: string;
  /** True if the visitor is this advocate; false for the advocate of the demo. */
  readonly isOwn: boolean;
}

const { slug = '', firstName = '', lastName = '', own } = byId('advocate', HTMLElement).dataset;

/** The advocate whose dashboard the page shows. */
export let advocate: Advocate = { slug, firstName, lastName, isOwn: own === 'true' };

/** Shows the dashboard of an advocate, without the referrals of the previous advocate. */
export function showAdvocate(next: Advocate): void {
  if (next.slug !== advocate.slug) emptyDashboard();
  advocate = next;
  render();
}

export function fullName(): string {
  return [advocate.firstName, advocate.lastName].join(' ').trim();
}

/** Returns the advocate's link. In the demo it leads to this page. */
export function linkOf(): string {
  return new URL(`/demo?via=${advocate.slug}`, location.href).href;
}

/** Shows the advocate's name and link, and activates the buttons of the link. */
export function openDashboard(): void {
  render();
  const field = byId('link', HTMLInputElement);
  const status = byId('link-status', HTMLElement);
  byId('open-link', HTMLAnchorElement).addEventListener('click', forgetVisitor);
  byId('copy', HTMLButtonElement).addEventListener('click', async () => {
    // Emptied first, so that screen readers also announce a second copy.
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

function render(): void {
  const { isOwn } = advocate;
  const initials = [advocate.firstName, advocate.lastName].map((name) => [...name][0] ?? '');
  byId('advocate-title', HTMLElement).textContent = `${fullName()}’s dashboard`;
  byId('to-panel', HTMLElement).textContent = `${advocate.firstName}’s dashboard`;
  byId('avatar', HTMLElement).textContent = initials.join('');
  byId('link', HTMLInputElement).value = linkOf();
  byId('open-link', HTMLAnchorElement).href = linkOf();
  byId('join', HTMLElement).hidden = isOwn;
  byId('joined', HTMLElement).hidden = !isOwn;
  byId('own', HTMLElement).hidden = !isOwn;
}
