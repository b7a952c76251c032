import { afterAll, beforeAll, test } from '@jest/globals';
import { SCENARIOS } from '../../browser/engines/scenarios.ts';
import { useShop } from '../browser/shop.ts';
import type { Engine } from './engine.ts';
import type { EngineName } from './names.ts';
import { useNetwork } from './network.ts';
import { startPuppeteer } from './puppeteer.ts';
import { isPossible } from './reasons.ts';
import { startWebKit } from './webkit.ts';

/** Runs all scenarios that are possible in an engine, each as a test. */
export function testEngine(name: EngineName): void {
  const shop = useShop();
  const network = useNetwork(shop.origin);
  let engine: Engine;
  beforeAll(async () => {
    engine = await (name === 'WebKit' ? startWebKit(network.port()) : startPuppeteer(name, network.port()));
  });
  afterAll(() => engine.stop());
  test.each(Object.entries(SCENARIOS).filter(([sentence]) => isPossible(sentence, name)))('%s', async (_, run) => {
    try {
      await run({ engine, shop, network });
    } finally {
      await engine.leave();
    }
  });
}
