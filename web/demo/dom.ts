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

/** Reads a field of parsed JSON; `undefined` if the value is not an object or lacks the field. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
