import { afterEach, expect, test } from '@jest/globals';
import { openChromium } from '../support/browser/chromium.ts';
import { useShop } from '../support/browser/shop.ts';

/** A page that prerenders the landing page and navigates there when `/navigate` responds. */
const START = `<!doctype html><title>Start</title>
<script type="speculationrules">{"prerender":[{"source":"list","urls":["/?via=jane"],"eagerness":"immediate"}]}</script>
<script>fetch('/navigate').then(() => { location.href = '/?via=jane'; })</script>`;

/** The landing page reports its state on load, and again when the script calls back. */
const REPORTS = `<script>
const report = (id) => fetch('/report?' + new URLSearchParams({ id, prerendering: document.prerendering, cookie: document.cookie }));
addEventListener('load', () => report('loaded'));
gr('id', report);
</script>`;

let onReport: (report: Record<string, string>) => void;
let navigate: () => void;
const nextReport = () =>
  new Promise<Record<string, string>>((resolve) => {
    onReport = resolve;
  });
const released = new Promise<void>((resolve) => {
  navigate = resolve;
});

const shop = useShop(async ({ path, search }) => {
  const respond = (body: string) => ({ headers: { 'content-type': 'text/html' }, body });
  if (path === '/start') return respond(START);
  if (path === '/navigate') await released;
  else if (path === '/report') onReport(Object.fromEntries(new URLSearchParams(search)));
  else return undefined;
  return respond('');
});

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

// Without Playwright: a connected debugger disables prerendering.
test('a prerendered page stores and sends nothing until it is activated', async () => {
  shop.setContent({ head: REPORTS });
  const before = await shop.items();
  const loaded = nextReport();
  close = await openChromium(shop.url('localhost', '/start'));
  expect(await loaded).toEqual({ id: 'loaded', prerendering: 'true', cookie: '' });
  expect(await shop.items()).toEqual(before);

  const shown = nextReport();
  navigate();
  const { id = '', ...rest } = await shown;
  expect({ slug: id.split('.')[0], ...rest }).toEqual({
    slug: 'jane',
    prerendering: 'false',
    // The click has just been sent.
    cookie: `gr_id=${id}; gr_unsent=&sid=//`,
  });
  // The service ignores clicks of prerendering pages. If it never stores this one, the test times out.
  while (!(await shop.stored(id)));
});
