/** Turns the sections of the page into tabs, and adds copy buttons. Without JavaScript, all sections are visible. */

const tabs = [...document.querySelectorAll<HTMLAnchorElement>('.tabs a')];
/** Keys that lead to another tab, as an index from the left or, if negative, from the right. */
const STEPS = new Map<string, (index: number) => number>([
  ['ArrowRight', (index) => index + 1],
  ['ArrowLeft', (index) => index - 1],
  ['Home', () => 0],
  ['End', () => -1],
  [' ', (index) => index],
]);

document.querySelector('.tabs')?.setAttribute('role', 'tablist');
tabs.forEach((tab, index) => {
  const panel = panelOf(tab);
  tab.id = `${panel?.id}-tab`;
  tab.setAttribute('role', 'tab');
  tab.setAttribute('aria-controls', panel?.id ?? '');
  panel?.setAttribute('role', 'tabpanel');
  panel?.setAttribute('aria-labelledby', tab.id);
  tab.addEventListener('click', (event) => {
    event.preventDefault();
    open(tab);
  });
  tab.addEventListener('keydown', (event) => {
    const step = STEPS.get(event.key);
    const next = step && tabs.at(step(index) % tabs.length);
    if (!next) return;
    event.preventDefault();
    next.focus();
    open(next);
  });
});
addEventListener('hashchange', showTabOfAddress);
showTabOfAddress();
for (const block of document.querySelectorAll('pre')) addButton(block);

function panelOf({ hash }: HTMLAnchorElement): HTMLElement | null {
  return document.getElementById(hash.slice(1));
}

/** Opens a tab and puts it into the address, which can then be shared. */
function open(tab: HTMLAnchorElement): void {
  history.replaceState(null, '', tab.hash);
  show(tab);
}

function showTabOfAddress(): void {
  const tab = tabs.find(({ hash }) => hash === location.hash) ?? tabs[0];
  if (tab) show(tab);
}

function show(shown: HTMLAnchorElement): void {
  for (const tab of tabs) {
    const isShown = tab === shown;
    tab.setAttribute('aria-selected', String(isShown));
    tab.tabIndex = isShown ? 0 : -1;
    panelOf(tab)?.toggleAttribute('hidden', !isShown);
  }
}

/** Adds a copy button to a block of code. Without JavaScript, one click selects the block (home.css). */
function addButton(block: HTMLPreElement): void {
  const button = document.createElement('button');
  const name = block.closest('li, div')?.querySelector('p, dt')?.textContent ?? 'line';
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy: ${name}`);
  const status = document.createElement('span');
  status.className = 'status';
  status.setAttribute('role', 'status');
  button.addEventListener('click', () => {
    // Without permission to copy, a click on the block selects it.
    navigator.clipboard.writeText(block.textContent).then(
      () => announce(status, 'Copied'),
      () => announce(status, 'Select the text and copy it'),
    );
  });
  const row = document.createElement('div');
  row.className = 'line';
  block.replaceWith(row);
  row.append(block, button, status);
}

function announce(status: HTMLElement, text: string): void {
  for (const other of document.querySelectorAll('.status')) other.textContent = '';
  status.textContent = text;
}
