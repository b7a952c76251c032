import { afterEach, expect, test } from '@jest/globals';
import { openPlainChromium } from '../support/chromium.ts';
import { useShop } from '../support/shop.ts';

/** A page that has the landing page prerendered, and goes there when it is told to. */
const START = `<!doctype html><title>Start</title>
<script type="speculationrules">{"prerender":[{"source":"list","urls":["/?via=jane"],"eagerness":"immediate"}]}</script>
<script>fetch('/told-to-go').then(() => { location.href = '/?via=jane'; })</script>`;

/** The landing page tells what it sees, when it has loaded and when the script works. */
const REPORTS = `<script>
const report = (id) => fetch('/report?' + new URLSearchParams({ id, prerendering: document.prerendering, cookie: document.cookie }));
addEventListener('load', () => report('loaded'));
gr('id', report);
</script>`;

let tellReport: (report: Record<string, string>) => void;
let go: () => void;
const nextReport = () =>
  new Promise<Record<string, string>>((resolve) => {
    tellReport = resolve;
  });
const told = new Promise<void>((resolve) => {
  go = resolve;
});

const shop = useShop(async ({ path, search }) => {
  const answer = (body: string) => ({ headers: { 'content-type': 'text/html' }, body });
  if (path === '/start') return answer(START);
  if (path === '/told-to-go') await told;
  else if (path === '/report') tellReport(Object.fromEntries(new URLSearchParams(search)));
  else return undefined;
  return answer('');
});

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

// In Chromium itself: what drives a page through its debugger switches the prerendering off.
test('a page that is prerendered keeps and sends nothing until it is shown', async () => {
  shop.hold({ head: REPORTS });
  const before = await shop.items();
  const loaded = nextReport();
  close = await openPlainChromium(shop.url('localhost', '/start'));
  expect(await loaded).toEqual({ id: 'loaded', prerendering: 'true', cookie: '' });
  expect(await shop.items()).toEqual(before);

  const shown = nextReport();
  go();
  const { id = '', ...rest } = await shown;
  expect({ slug: id.split('.')[0], ...rest }).toEqual({
    slug: 'jane',
    prerendering: 'false',
    // Its click has just been sent.
    cookie: `gr_id=${id}; gr_unsent=`,
  });
  // It is not a prefetch any more, which the service would ignore. If it is never stored, the test times out.
  while (!(await shop.stored(id)));
});
