import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The accessibility rules that a page breaks, each with an element that breaks it, as `rule: selector`. */
export async function violations(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE });
  const results: AxeResults = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
}
