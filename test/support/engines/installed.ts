import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ENGINES, type EngineName } from './names.ts';

const MINI_BROWSERS = '/usr/lib/*/webkit2gtk-4.1/MiniBrowser';

/** The programs of each engine, and Debian's packages that contain them. */
const PARTS: Readonly<Record<EngineName, { readonly packages: string; readonly isInstalled: () => boolean }>> = {
  Chromium: { packages: 'chromium', isInstalled: () => Boolean(process.env['CHROMIUM'] || onPath('chromium')) },
  Firefox: { packages: 'firefox-esr', isInstalled: () => Boolean(onPath('firefox-esr')) },
  WebKit: {
    packages: 'webkit2gtk-driver and xvfb',
    isInstalled: () => Boolean(onPath('WebKitWebDriver') && onPath('Xvfb') && globSync(MINI_BROWSERS)[0]),
  },
};

function onPath(program: string): string | undefined {
  const { PATH = '' } = process.env;
  return PATH.split(delimiter)
    .map((folder) => join(folder, program))
    .find(existsSync);
}

/** Returns the path of a program that an engine needs. */
export function programOf(engine: EngineName, program: string): string {
  const found = program === 'MiniBrowser' ? globSync(MINI_BROWSERS)[0] : onPath(program);
  if (!found) throw new Error(`${engine} was not found. Install Debian's ${PARTS[engine].packages}.`);
  return found;
}

/**
 * Returns the engines that are not installed, and names them on stderr: their tests are left out. With `ENGINES=all`, as in
 * CI, none is left out, so that a missing one fails its tests.
 */
export function missingEngines(): EngineName[] {
  const { ENGINES: chosen } = process.env;
  if (chosen === 'all') return [];
  if (chosen) throw new Error('ENGINES is not valid. Set it to all, or leave it unset.');
  const missing = ENGINES.filter((engine) => !PARTS[engine].isInstalled());
  const packages = missing.map((engine) => `${engine} (${PARTS[engine].packages})`);
  if (missing.length > 0)
    console.error(`Without these engines, whose Debian packages are missing: ${packages.join(', ')}`);
  return missing;
}
