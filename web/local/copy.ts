/** Puts a copy button beside each line of code. Without JavaScript, one click selects the line (home.css). */

for (const block of document.querySelectorAll('pre')) addButton(block);

function addButton(block: HTMLPreElement): void {
  const button = document.createElement('button');
  const name = block.closest('li, div')?.querySelector('p, dt')?.textContent ?? 'line';
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy: ${name}`);
  const said = document.createElement('span');
  said.className = 'said';
  said.setAttribute('role', 'status');
  button.addEventListener('click', () => {
    // Without permission, the line is selected by the click on it.
    navigator.clipboard.writeText(block.textContent).then(
      () => show(said, 'Copied'),
      () => show(said, 'Select the line and copy it'),
    );
  });
  const row = document.createElement('div');
  row.className = 'line';
  block.replaceWith(row);
  row.append(block, button, said);
}

function show(said: HTMLElement, text: string): void {
  for (const other of document.querySelectorAll('.said')) other.textContent = '';
  said.textContent = text;
}
