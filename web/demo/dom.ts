/** Returns the page's element with this id. Throws `TypeError` if the page lacks it or it has another type. */
export function byId<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new TypeError(`The page has no ${kind.name} #${id}.`);
}

/** Creates an HTML element. String children become text nodes, never markup. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = className;
  element.append(...children);
  return element;
}

/** Shows a message to the visitor and scrolls to it if necessary. */
export function showMessage(element: HTMLElement, text: string, isProblem = false): void {
  element.classList.toggle('problem', isProblem);
  element.textContent = text;
  if (text !== '') element.scrollIntoView({ block: 'nearest' });
}

/**
 * Calls `work` with the fields of a form when it is submitted, unless it is still running: a double click counts once.
 * The button only looks disabled, because a disabled one would lose the focus.
 */
export function onSubmit(form: HTMLFormElement, work: (fields: Record<string, string>) => Promise<void>): void {
  let isBusy = false;
  const setBusy = (value: boolean) => {
    isBusy = value;
    form.querySelector('button')?.setAttribute('aria-disabled', String(value));
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
    void work(Object.fromEntries(fields)).finally(() => setBusy(false));
  });
}
