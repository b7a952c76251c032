import { type ComponentChild, options, render } from 'preact';
import { keepFresh } from './loaded.ts';

/**
 * Shows a page, and keeps it fresh. Effects run before the next event. Preact's default is after the next frame: until then,
 * something may be typed, which the first effect of a form would replace.
 */
export function mount(page: ComponentChild): void {
  options.requestAnimationFrame = queueMicrotask;
  keepFresh();
  const root = document.getElementById('page');
  if (root) render(page, root);
}
