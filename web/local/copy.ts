/** Adds a copy button to each line of code. Without JavaScript, one click selects the line (home.css). */

for (const block of document.querySelectorAll('pre')) addButton(block);

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
    // Without permission to copy, a click on the line selects it.
    navigator.clipboard.writeText(block.textContent).then(
      () => show(status, 'Copied'),
      () => show(status, 'Select the line and copy it'),
    );
  });
  const row = document.createElement('div');
  row.className = 'line';
  block.replaceWith(row);
  row.append(block, button, status);
}

function show(status: HTMLElement, text: string): void {
  for (const other of document.querySelectorAll('.status')) other.textContent = '';
  status.textContent = text;
}
