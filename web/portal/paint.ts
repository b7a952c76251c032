import { isColor, readableAccent, textOn } from '../kit/accent.ts';

/** Shows the page in an accent color. `null` resets it, and anything that is not a color is ignored. */
export function paintAccent(accent: unknown): void {
  const { style } = document.documentElement;
  if (accent === null) for (const name of ['--accent', '--on-accent', '--notice-page']) style.removeProperty(name);
  if (!isColor(accent)) return;
  const [light, dark] = [readableAccent(accent, 'light'), readableAccent(accent, 'dark')];
  style.setProperty('--accent', `light-dark(${light}, ${dark})`);
  style.setProperty('--on-accent', `light-dark(${textOn(light)}, ${textOn(dark)})`);
  // It has a tint of the usual accent.
  style.setProperty('--notice-page', 'var(--sunken)');
}

/** Shows the page in a theme. `null` resets it, and anything that is not a theme is ignored. */
export function paintTheme(theme: unknown): void {
  const { style } = document.documentElement;
  if (theme === 'light' || theme === 'dark') style.colorScheme = theme;
  else if (theme === 'auto') style.colorScheme = 'light dark';
  else if (theme === null) style.removeProperty('color-scheme');
}
