import { ADVOCATE } from './advocate.ts';
import { byId } from './dom.ts';

/** Shows the advocate's link and makes its button copy it. */
export function openLink(): void {
  const field = byId('link', HTMLInputElement);
  const status = byId('link-status', HTMLElement);
  field.value = ADVOCATE.link;
  byId('copy', HTMLButtonElement).addEventListener('click', () => {
    // Emptied first, so that the second copy is announced too.
    status.textContent = '';
    copy(field).then(
      () => {
        status.textContent = 'Link copied.';
      },
      () => {
        field.select();
        status.textContent = 'The browser does not allow copying. The link is selected: press Ctrl+C or ⌘C.';
      },
    );
  });
}

/** Rejects if the browser or the visitor does not allow it. */
async function copy({ value }: HTMLInputElement): Promise<void> {
  await navigator.clipboard.writeText(value);
}
