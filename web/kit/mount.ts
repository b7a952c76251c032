import { type ComponentChild, options, render } from 'preact';
import { keepFresh } from './loaded.ts';

/**
 * Shows a page, and keeps it fresh. Effects run before the next event, and not after the next frame, as is Preact's default:
 * there, the first effect of a form would replace what was already typed, and a late focus would take the keys.
 */
export function mount(page: ComponentChild): void {
  options.requestAnimationFrame = queueMicrotask;
  keepFresh();
  const root = document.getElementById('page');
  if (root) render(page, root);
}
