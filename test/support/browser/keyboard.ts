import type { Page } from 'playwright-core';

/** The name of the element with the focus, as assistive technology reads it. */
export const FOCUSED = `(() => {
  const element = document.activeElement;
  if (element === document.body) return 'nothing';
  return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
})()`;
/** More than the elements of any view. */
const MOST = 100;

/** Reaches a button or a link with Tab, and presses Enter. */
export async function press(page: Page, name: string): Promise<void> {
  await page.getByText(name, { exact: true }).first().waitFor();
  await reach(page, name);
  await page.keyboard.press('Enter');
}

/** Reaches a field with Tab, and types into it. */
export async function fill(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name, exact: true }).last().waitFor();
  await reach(page, name);
  await page.keyboard.type(text);
}

/** Presses Tab until an element has the focus. After the last element, the first one follows. */
export async function reach(page: Page, name: string): Promise<void> {
  for (let count = 0; count < MOST; count += 1) {
    if ((await page.evaluate(FOCUSED)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach "${name}".`);
}
